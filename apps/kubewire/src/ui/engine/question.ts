// The three kinds of question, as the page, the engine and the address bar know them.

/** A name asked of DNS. */
export interface NameAsked {
  readonly kind: 'name'
  readonly name: string
  readonly type: string
  /** An address, `pod/NAMESPACE/NAME`, or empty. */
  readonly client: string
}

/** A packet sent through the rules of a node. */
export interface ConnectionAsked {
  readonly kind: 'connection'
  readonly from: string
  readonly to: string
  /** Empty: that of the Service port, else tcp. */
  readonly protocol: string
  /** Empty: the first Node. */
  readonly node: string
}

/** A request sent through the configuration of nginx. */
export interface UrlAsked {
  readonly kind: 'url'
  readonly method: string
  readonly url: string
  /** `Name: value`. */
  readonly headers: readonly string[]
}

/** What a person asks. */
export type Question = NameAsked | ConnectionAsked | UrlAsked

/** One of the three. */
export type QuestionKind = Question['kind']
