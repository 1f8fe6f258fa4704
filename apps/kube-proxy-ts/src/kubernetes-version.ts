/** The release of Kubernetes whose kube-proxy this program stands for: it says so to whoever asks for its version. */
export const kubernetesVersion = '1.37.2'
