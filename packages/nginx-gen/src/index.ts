// Translation and rendering: Ingresses in, configuration out

export type { ExtendedOptions } from './annotations/extended-options.ts'
export { type ConfigPaths, defaultConfigPaths } from './render/paths.ts'
export { createRenderer, type Renderer, renderConfig } from './render/render.ts'
export type { HostPlan } from './routes/plan-hosts.ts'
export {
  createRoutedRenderer,
  type RoutedConfig,
  type RoutedRenderer,
  readFrame,
  renderRouted,
} from './routes/render-routed.ts'
export { type ControllerOptions, defaultControllerOptions } from './snapshot/controller-options.ts'
export type { InstalledModules, ModsecurityFiles } from './snapshot/optional-modules.ts'
export { ownClass, selectIngresses } from './snapshot/select.ts'
export { coversHost, readCertificate } from './translate/certificate.ts'
export { findServicePort } from './translate/endpoints.ts'
export { ingressFeatures } from './translate/ingress-features.ts'
export { createTranslator, type Translation, type Translator, translateIngresses } from './translate/translate.ts'

// Admission: whether an Ingress may be written

export { type Admission, admitIngress } from './admission/admit-ingress.ts'

// Annotations and settings, for reference pages, linters and extensions

export { type Annotation, defineAnnotation, defineFamily, type Family, featureOf } from './annotations/define.ts'
export { annotations, families } from './annotations/registry.ts'
export type { Setting } from './settings/define.ts'
export { parseSettings } from './settings/parse.ts'
export { type Settings, settings } from './settings/registry.ts'

// Extensions

export { createExtension, type Extension, type ExtensionKit, extensionKit } from './extension.ts'

// The model

export { type Backend, type BackendEndpoint, defaultBackendName } from './model/backend.ts'
export type { Location, Route } from './model/location.ts'
export type { Model } from './model/model.ts'
export { catchAllHost, type Server } from './model/server.ts'
export type { StreamService } from './model/stream.ts'
export type { Certificate, CertificateFacts, ConfigFile, TlsModel } from './model/tls.ts'

// The configuration tree, text ↔ tree, and the check of a tree

export { checkConfig } from './config/check.ts'
export type {
  Argument,
  ArgumentLike,
  Block,
  Comment,
  ConfigNode,
  ConfigPosition,
  ConfigTree,
  Directive,
  ListArgument,
  LuaBlock,
  Origin,
  Raw,
  TextArgument,
} from './config/node.ts'
export {
  block,
  comment,
  directive,
  interpolated,
  list,
  literal,
  lua,
  raw,
  regex,
  withOrigin,
  word,
} from './config/node.ts'
export { parseConfig } from './config/parse.ts'
export { type PlainNode, plainLine, plainTree } from './config/plain.ts'
export { printConfig } from './config/print.ts'
export { literalDollar } from './config/quote.ts'

// Routes as data: the table of the router, and the router's twin

export { matchRoute, type RoutedRequest, type RouteLookup, type RouteMatch } from './routes/match.ts'
export type { HostEntry, HostRoutes, RouteEntry } from './routes/route.ts'
export { lookupIn, type RouteTable } from './routes/table.ts'

// The data plane in Lua, and what an update of a running nginx takes

export { backendTexts, type DynamicData, dynamicData, externalNames, type ResolveName } from './dynamic/backends.ts'
export { foundState } from './dynamic/found-state.ts'
export {
  type DataChange,
  isEmptyChange,
  type NginxState,
  planUpdate,
  reloadReasons,
  type UpdatePlan,
  withChange,
  withDataOf,
} from './dynamic/plan-update.ts'
export { refreshEndpoints } from './dynamic/refresh-endpoints.ts'
export { defaultSharedDicts, type LuaOptions } from './lua/directives.ts'
export { luaFiles } from './lua/manifest.ts'

// Simulation of requests on any tree

export { explainRequest, printOutcome } from './explain.ts'
export { type DataPlaneFacts, kubewireLua, type LuaEffect, type LuaPort } from './simulate/lua-port.ts'
export { modelLua } from './simulate/model-lua.ts'
export type { SimulatedRequest } from './simulate/request.ts'
export { type SimulateOptions, simulateRequest, simulateSource } from './simulate/run.ts'
export { type SourceNode, sourceTree } from './simulate/source-tree.ts'
export type { RequestOutcome, Trace, TraceStep } from './simulate/trace.ts'

// Problem codes

export { type NginxProblemCode, nginxProblemCodes } from './problem-codes.ts'
