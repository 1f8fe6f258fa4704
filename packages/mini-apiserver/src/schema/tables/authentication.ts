// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 authentication/v1 types.go.

export const authenticationTypes: { readonly [type: string]: string } = {
  BoundObjectReference: 'kind:1 string; apiVersion:2 string; name:3 string; uid:4 string',
  SelfSubjectReview: 'metadata:1 meta.ObjectMeta!; status:2 SelfSubjectReviewStatus!',
  SelfSubjectReviewStatus: 'userInfo:1 UserInfo!',
  TokenRequest: 'metadata:1 meta.ObjectMeta!; spec:2 TokenRequestSpec!; status:3 TokenRequestStatus!',
  TokenRequestSpec:
    'audiences:1 []string!; expirationSeconds:4 *long!; boundObjectRef:3 *BoundObjectReference!; attestations:5 {}[]string',
  TokenRequestStatus: 'token:1 string!; expirationTimestamp:2 Time!',
  TokenReview: 'metadata:1 meta.ObjectMeta!; spec:2 TokenReviewSpec!; status:3 TokenReviewStatus!',
  TokenReviewSpec: 'token:1 string; audiences:2 []string',
  TokenReviewStatus: 'authenticated:1 bool; user:2 UserInfo!; audiences:4 []string; error:3 string',
  UserInfo: 'username:1 string; uid:2 string; groups:3 []string; extra:4 {}[]string',
}
