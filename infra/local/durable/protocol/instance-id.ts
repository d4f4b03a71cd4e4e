/** What an instance id may look like, on every back end. */

const forbidden = /[/\\#?\p{Cc}]/u;
const maxLength = 100;

/** The reason why an id is refused, or undefined. */
export function refuseInstanceId(id: string): string | undefined {
  if (id === '') return 'An instance id must not be empty.';
  if (id.length > maxLength) return `An instance id has at most ${maxLength} characters.`;
  if (id.startsWith('@')) return 'An instance id must not start with @.';
  if (forbidden.test(id)) return 'An instance id must not hold / \\ # ? or control characters.';
  return undefined;
}
