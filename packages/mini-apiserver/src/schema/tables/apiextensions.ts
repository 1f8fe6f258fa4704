// Field table, one type a line, in the notation of ../parse-table.ts: names, protobuf numbers, types and list keys.
// Source: k8s.io/apiextensions-apiserver 0.37 pkg/apis/apiextensions/v1 types.go.

export const apiextensionsTypes: { readonly [type: string]: string } = {
  CustomResourceColumnDefinition:
    'name:1 string!; type:2 string!; format:3 string; description:4 string; priority:5 int; jsonPath:6 string!',
  CustomResourceConversion: 'strategy:1 string!; webhook:2 *WebhookConversion',
  CustomResourceDefinition:
    'metadata:1 meta.ObjectMeta!; spec:2 CustomResourceDefinitionSpec!; status:3 CustomResourceDefinitionStatus!',
  CustomResourceDefinitionCondition:
    'type:1 string!; status:2 string!; lastTransitionTime:3 Time!; reason:4 string; message:5 string; observedGeneration:6 long',
  CustomResourceDefinitionNames:
    'plural:1 string!; singular:2 string; shortNames:3 []string; kind:4 string!; listKind:5 string; categories:6 []string',
  CustomResourceDefinitionSpec:
    'group:1 string!; names:3 CustomResourceDefinitionNames!; scope:4 string!; versions:7 []CustomResourceDefinitionVersion!; conversion:9 *CustomResourceConversion; preserveUnknownFields:10 bool',
  CustomResourceDefinitionStatus:
    'conditions:1 []CustomResourceDefinitionCondition!@type; acceptedNames:2 CustomResourceDefinitionNames!; storedVersions:3 []string!; observedGeneration:4 long',
  CustomResourceDefinitionVersion:
    'name:1 string!; served:2 bool!; storage:3 bool!; deprecated:7 bool; deprecationWarning:8 *string; schema:4 *CustomResourceValidation; subresources:5 *CustomResourceSubresources; additionalPrinterColumns:6 []CustomResourceColumnDefinition; selectableFields:9 []SelectableField',
  CustomResourceSubresourceScale:
    'specReplicasPath:1 string!; statusReplicasPath:2 string!; labelSelectorPath:3 *string',
  CustomResourceSubresourceStatus: '',
  CustomResourceSubresources: 'status:1 *CustomResourceSubresourceStatus; scale:2 *CustomResourceSubresourceScale',
  CustomResourceValidation: 'openAPIV3Schema:1 *Raw',
  SelectableField: 'jsonPath:1 string!',
  ServiceReference: 'namespace:1 string!; name:2 string!; path:3 *string; port:4 *int',
  WebhookClientConfig: 'url:3 *string; service:1 *ServiceReference; caBundle:2 bytes',
  WebhookConversion: 'clientConfig:2 *WebhookClientConfig; conversionReviewVersions:3 []string!',
}
