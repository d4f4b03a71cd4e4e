/**
 * Chooses how to log in from what the server offers (RFC 4252). A password is tried once, not once per
 * method: a second try would count as another wrong guess and can lock the account.
 */

import type { AnyAuthMethod, AuthHandlerMiddleware, KeyboardInteractiveAuthMethod } from 'ssh2';
import { quoteServer } from './ssh-failure.ts';
import type { SshLogin } from './ssh-login.ts';

export type LoginMethods = {
  readonly handler: AuthHandlerMiddleware;
  /** Why the server refused the login; to be asked after it did. */
  readonly refusal: () => string;
};

/** `trustHost` runs before the server is told anything; the login goes no further when it answers false. */
export function loginMethods(login: SshLogin, trustHost: () => Promise<boolean>): LoginMethods {
  const remaining = methodsOf(login);
  const { username } = login;
  let asked = false;
  let tried = false;
  let offered: readonly string[] = [];

  function choose(accepted: readonly string[], partial: boolean): AnyAuthMethod | false {
    offered = accepted;
    if (tried && !partial) return false;
    tried = false;
    const at = remaining.findIndex((method) => accepted.includes(method.type));
    const chosen = at < 0 ? undefined : remaining.splice(at, 1)[0];
    tried = chosen !== undefined;
    return chosen ?? false;
  }

  return {
    handler(accepted, partial, next) {
      if (asked) return choose(accepted, partial);
      asked = true;
      // The method `none` asks the server what it offers, and is all that some devices want.
      void trustHost().then((trusted) => trusted && next({ type: 'none', username }));
      return undefined;
    },
    refusal() {
      const secret = login.kind === 'password' ? 'password' : 'key';
      if (tried) return `the server refused the user name or ${secret}`;
      return `the server accepts no ${secret}, only: ${quoteServer(offered.join(', '))}`;
    },
  };
}

function methodsOf(login: SshLogin): AnyAuthMethod[] {
  const { username } = login;
  if (login.kind === 'key') return [{ type: 'publickey', username, key: login.key }];
  const { password } = login;
  return [{ type: 'password', username, password }, interactive(username, password)];
}

/**
 * Answers the first round of prompts with the password. Any later round asks for something else, such as
 * a new password, and gets empty answers.
 */
function interactive(username: string, password: string): KeyboardInteractiveAuthMethod {
  let answer = password;
  return {
    type: 'keyboard-interactive',
    username,
    prompt(_name, _instructions, _language, prompts, finish) {
      finish(prompts.map(() => answer));
      answer = '';
    },
  };
}
