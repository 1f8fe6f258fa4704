// The configuration tree

// Text ↔ tree, and the check of a tree
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
// The data plane in Lua, and what an update of a running nginx takes
export { type DynamicData, dynamicData, externalNames, type ResolveName } from './dynamic/backends.ts'
export { type DataChange, type NginxState, planUpdate, reloadReasons, type UpdatePlan } from './dynamic/plan-update.ts'
// Simulation of requests on any tree
export { explainRequest, printOutcome } from './explain.ts'
export { defaultSharedDicts, type LuaOptions } from './lua/directives.ts'
export { luaFiles } from './lua/manifest.ts'
// Problem codes
export { type NginxProblemCode, nginxProblemCodes } from './problem-codes.ts'
export { type DataPlaneFacts, kubewireLua, type LuaEffect, type LuaPort } from './simulate/lua-port.ts'
export type { SimulatedRequest } from './simulate/request.ts'
export { type SimulateOptions, simulateRequest, simulateSource } from './simulate/run.ts'
export { type SourceNode, sourceTree } from './simulate/source-tree.ts'
export type { RequestOutcome, Trace, TraceStep } from './simulate/trace.ts'
