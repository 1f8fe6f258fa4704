// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/api 0.37 admissionregistration/v1 types.go.

export const admissionregistrationTypes: { readonly [type: string]: string } = {
  MatchCondition: 'name:1 string!; expression:2 string!',
  MutatingWebhook:
    'name:1 string!; clientConfig:2 WebhookClientConfig!; rules:3 []RuleWithOperations; failurePolicy:4 *string; matchPolicy:9 *string; namespaceSelector:5 *meta.LabelSelector; objectSelector:11 *meta.LabelSelector; sideEffects:6 *string!; timeoutSeconds:7 *int; admissionReviewVersions:8 []string!; reinvocationPolicy:10 *string; matchConditions:12 []MatchCondition~name@name',
  MutatingWebhookConfiguration: 'metadata:1 meta.ObjectMeta!; webhooks:2 []MutatingWebhook~name@name',
  Rule: 'apiGroups:1 []string; apiVersions:2 []string; resources:3 []string; scope:4 *string',
  RuleWithOperations: 'operations:1 []string; <Rule:2',
  ServiceReference: 'namespace:1 string!; name:2 string!; path:3 *string; port:4 *int',
  ValidatingWebhook:
    'name:1 string!; clientConfig:2 WebhookClientConfig!; rules:3 []RuleWithOperations; failurePolicy:4 *string; matchPolicy:9 *string; namespaceSelector:5 *meta.LabelSelector; objectSelector:10 *meta.LabelSelector; sideEffects:6 *string!; timeoutSeconds:7 *int; admissionReviewVersions:8 []string!; matchConditions:11 []MatchCondition~name@name',
  ValidatingWebhookConfiguration: 'metadata:1 meta.ObjectMeta!; webhooks:2 []ValidatingWebhook~name@name',
  WebhookClientConfig: 'url:3 *string; service:1 *ServiceReference; caBundle:2 bytes',
}
