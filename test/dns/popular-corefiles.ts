// Corefiles as people have them, word for word: what distributions put into their ConfigMap `coredns`, and what their
// pages tell people to add. Nothing in them is ours but the ports of the HTTP plugins, see `popular-corefiles.kernel.ts`.

/** One Corefile with the files it imports or reads. */
export interface PopularCorefile {
  readonly name: string
  readonly corefile: string
  readonly files?: { readonly [name: string]: string }
}

export const popularCorefiles: readonly PopularCorefile[] = [
  {
    name: 'kubeadm 1.36',
    corefile: `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30 {
       disable success cluster.local
       disable denial cluster.local
    }
    loop
    reload
    loadbalance
}
`,
  },
  {
    name: 'kind and older kubeadm',
    corefile: `.:53 {
    log
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    hosts {
       192.0.2.1 host.minikube.internal
       fallthrough
    }
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30
    loop
    reload
    loadbalance
}
`,
  },
  {
    name: 'k3s and k3d',
    corefile: `.:53 {
    errors
    health
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
      pods insecure
      fallthrough in-addr.arpa ip6.arpa
    }
    hosts /etc/coredns/NodeHosts {
      ttl 60
      reload 15s
      fallthrough
    }
    prometheus :9153
    cache 30
    loop
    reload
    loadbalance
    import /etc/coredns/custom/*.override
    forward . /etc/resolv.conf
}
import /etc/coredns/custom/*.server
`,
    files: {
      NodeHosts: '192.0.2.11 node-1\n192.0.2.12 node-2\n',
      'custom/log.override': 'log\n',
      'custom/stub.server': 'stub.example:53 {\n    errors\n    cache 30\n    forward . 192.0.2.53\n}\n',
    },
  },
  {
    name: 'OpenShift',
    corefile: `.:5353 {
    bufsize 1232
    errors
    log . {
        class error
    }
    health {
        lameduck 20s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
    }
    prometheus 127.0.0.1:9153
    forward . /etc/resolv.conf {
        policy sequential
    }
    cache 900 {
        denial 9984 30
    }
    reload
}
hostname.bind:5353 {
    chaos
}
`,
  },
  {
    name: 'the node-local cache add-on',
    corefile: `cluster.local:53 {
    errors
    cache {
            success 9984 30
            denial 9984 5
    }
    reload
    loop
    bind 127.0.0.1
    forward . 192.0.2.10 {
            force_tcp
    }
    prometheus :9253
    health 127.0.0.1:8080
    }
in-addr.arpa:53 {
    errors
    cache 30
    reload
    loop
    bind 127.0.0.1
    forward . 192.0.2.10 {
            force_tcp
    }
    prometheus :9253
    }
.:53 {
    errors
    cache 30
    reload
    loop
    bind 127.0.0.1
    forward . /etc/resolv.conf
    prometheus :9253
    }
`,
  },
  {
    name: 'Rancher RKE with stub domains and upstream name servers',
    corefile: `.:53 {
    errors
    health {
      lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
      pods insecure
      fallthrough in-addr.arpa ip6.arpa
    }
    prometheus :9153
    forward . "192.0.2.53" "192.0.2.54"
    cache 30
    loop
    reload
    loadbalance
} # STUBDOMAINS - Rancher specific change
corp.example:53 {
    errors
    cache 30
    forward . 192.0.2.53 192.0.2.54
}
`,
  },
  {
    name: 'EKS',
    corefile: `.:53 {
    errors
    health {
        lameduck 5s
      }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
      pods insecure
      fallthrough in-addr.arpa ip6.arpa
    }
    prometheus :9153
    forward . /etc/resolv.conf
    cache 30
    loop
    reload
    loadbalance
}
`,
  },
  {
    name: 'AKS with custom overrides',
    corefile: `.:53 {
    errors
    ready
    health {
      lameduck 5s
    }
    kubernetes cluster.local in-addr.arpa ip6.arpa {
      pods insecure
      fallthrough in-addr.arpa ip6.arpa
      ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf
    cache 30
    loop
    reload
    loadbalance
    import custom/*.override
    template ANY ANY internal.cloudapp.net {
      match "^(?:[^.]+\\.){4,}internal\\.cloudapp\\.net\\.$"
      rcode NXDOMAIN
      fallthrough
    }
    template ANY ANY reddog.microsoft.com {
      rcode NXDOMAIN
    }
}
import custom/*.server
`,
    files: {
      'custom/test.override': 'hosts {\n    192.0.2.20 one.example\n    fallthrough\n}\n',
      'custom/two.server':
        'two.example:53 {\n    log\n    errors\n    rewrite stop {\n        name regex (.*)\\.two\\.example {1}.default.svc.cluster.local\n        answer name (.*)\\.default\\.svc\\.cluster\\.local {1}.two.example\n    }\n    forward . /etc/resolv.conf\n}\n',
    },
  },
  {
    name: 'GKE-like stub domains with autopath and verified pods',
    corefile: `(snip) {
    errors
    cache 30
    loop
}
.:53 {
    import snip
    health :8080
    ready :8181
    autopath @kubernetes
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        pods verified
        fallthrough in-addr.arpa ip6.arpa
        endpoint_pod_names
        namespaces kube-system default shop
    }
    prometheus 127.0.0.1:9153
    forward . 192.0.2.8:53 192.0.2.9:53 {
        policy round_robin
        health_check 5s
        prefer_udp
        expire 20s
        max_fails 3
    }
    reload 10s 5s
    loadbalance round_robin
}
acme.example:53 {
    import snip
    forward . 192.0.2.10 {
        except public.acme.example
    }
}
`,
  },
]
