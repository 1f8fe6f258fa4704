// Entry of `@kubewire/dns-core/corefile`: reading Corefiles without the plugins' code being run.

export { checkDirectives } from './check-directives.ts'
export { corefileProblem, pluginProblem, printCorefileProblem } from './corefile-problem.ts'
export type {
  BlockFacts,
  BlockKey,
  CorefileBlock,
  Directive,
  DirectiveToken,
  Scheme,
} from './directive.ts'
export type { ImportFiles } from './expand-imports.ts'
export { type Corefile, type CorefileSurroundings, noSurroundings, parseCorefile } from './parse.ts'
export type { PlannedPlugin, PlanOptions, ServerPlan, ServerPlans } from './server-plans.ts'
export { serverPlans } from './server-plans.ts'
export { parseZones } from './zones.ts'
