// The configuration tree
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
export { block, comment, directive, interpolated, list, literal, lua, raw, regex, withOrigin, word } from './config/node.ts'
