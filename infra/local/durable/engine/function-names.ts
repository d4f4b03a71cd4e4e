/** Names of functions are case-insensitive; the app's own spelling is what the host is called with. */
export class FunctionNames {
  readonly #registered: ReadonlyMap<string, string>;

  constructor(names: ReadonlySet<string>) {
    this.#registered = new Map([...names].map((name) => [name.toLowerCase(), name]));
  }

  /** The registered spelling, or undefined when there is no such function. */
  find(name: string): string | undefined {
    return this.#registered.get(name.toLowerCase());
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }
}
