// A certificate with its key, and a key of nobody, for tests. Made with openssl: EC P-256, O=Example, CN=tea.example,
// names tea.example and *.tea.example, address 192.0.2.7, valid for a hundred years; and one of the same key with nothing
// but CN=milk.example. They guard nothing.

/** PEM texts. */
export const pem: {
  readonly certificate: string
  readonly key: string
  readonly otherKey: string
  readonly commonNameOnly: string
} = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIB1jCCAXugAwIBAgIUEoUHRcqlnLXRkoItcl30xJV5PmYwCgYIKoZIzj0EAwIw
KDEQMA4GA1UECgwHRXhhbXBsZTEUMBIGA1UEAwwLdGVhLmV4YW1wbGUwIBcNMjYx
MTI5MjMyODUwWhgPMjEyNjExMDUyMzI4NTBaMCgxEDAOBgNVBAoMB0V4YW1wbGUx
FDASBgNVBAMMC3RlYS5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
0OJMihHIcHHty0T8woMC8W108IIvEDAYO8AjiTAoGmTD9sMjkpVuDp2Ug96Zf+UT
/ZYavqPz4BjTmY8xqzU71KOBgDB+MB0GA1UdDgQWBBTZx2QOgPvHm5vPk5utF0uz
lSaHzTAfBgNVHSMEGDAWgBTZx2QOgPvHm5vPk5utF0uzlSaHzTAPBgNVHRMBAf8E
BTADAQH/MCsGA1UdEQQkMCKCC3RlYS5leGFtcGxlgg0qLnRlYS5leGFtcGxlhwTA
AAIHMAoGCCqGSM49BAMCA0kAMEYCIQDcIaeNXCk8yGX/dya63f6xGKqXlo+tcyIU
IsBiY/E2SwIhAK/vy2tjci9ngZfTSl/3feEAjCkf0jzKXZ11jh2h9gfW
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRZ/xs9LpOOIwmP9p
Q4fURupGj7DfzIo6KaB8W0/fN1+hRANCAATQ4kyKEchwce3LRPzCgwLxbXTwgi8Q
MBg7wCOJMCgaZMP2wyOSlW4OnZSD3pl/5RP9lhq+o/PgGNOZjzGrNTvU
-----END PRIVATE KEY-----
`,
  otherKey: `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIETEB5XKHyoV50C+576wvchbZKiduAROi1RetN7X7VRMoAoGCCqGSM49
AwEHoUQDQgAEGO2eGid/Gh2DVS9BpHSzuCahb8c0c9TUSAEHBsOtAOdk0k8oNJcG
0vyVgsi32p6nWz3KgKm3IWEhH6jk3oWYwg==
-----END EC PRIVATE KEY-----
`,
  commonNameOnly: `-----BEGIN CERTIFICATE-----
MIIBTTCB9QIUJhT44HJjpXnCGi04dxqIm+KyMEMwCgYIKoZIzj0EAwIwKTEQMA4G
A1UECgwHRXhhbXBsZTEVMBMGA1UEAwwMbWlsay5leGFtcGxlMCAXDTI2MTEzMDEy
NDQxMVoYDzIxMjYxMTA2MTI0NDExWjApMRAwDgYDVQQKDAdFeGFtcGxlMRUwEwYD
VQQDDAxtaWxrLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATQ4kyK
Echwce3LRPzCgwLxbXTwgi8QMBg7wCOJMCgaZMP2wyOSlW4OnZSD3pl/5RP9lhq+
o/PgGNOZjzGrNTvUMAoGCCqGSM49BAMCA0cAMEQCIFFwYfB7J1UHj9CCOKLJHL8M
gLq4iL5FeS3Fuy2TjZEhAiBG3NV9/Azi1Y34vlbDFn2FHGWaoz+A7lyDXrl44cRq
AQ==
-----END CERTIFICATE-----
`,
}
