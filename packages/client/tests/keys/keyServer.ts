import { routes, type Route } from '@nolo/api';
import { conversationHandlers } from './conversationHandlers.ts';
import { linkHandlers } from './linkHandlers.ts';
import { listHandlers } from './listHandlers.ts';
import { vaultHandlers } from './vaultHandlers.ts';
import { refuse, type Session, type CallParts, ServedState } from './servedState.ts';

/** Key server in memory, which follows the contract of the routes with simple code of its own. */

type Tamper = (reply: never, session: Session) => unknown;

const nameOfRoute = (route: Route): string =>
  Object.entries(routes).find(([, one]) => one === route)?.[0] ?? route.path;

export class KeyServer extends ServedState {
  /** False: nothing is reachable. */
  isUp = true;
  /** Replaces the replies of a route, by its name. */
  readonly tampers = new Map<string, Tamper>();
  readonly #handlers = {
    ...listHandlers(this),
    ...vaultHandlers(this),
    ...linkHandlers(this),
    ...conversationHandlers(this),
  };
  #tail: Promise<unknown> = Promise.resolve();

  /** Copies what is stored: an older state, or one that goes another way. */
  clone(now = this.now): KeyServer {
    const copy = new KeyServer(now);
    copy.nextRow = this.nextRow;
    copy.take(this);
    for (const [id, name] of this.names) copy.names.set(id, name);
    return copy;
  }

  /** Takes over the state of another server, as a restored backup does. */
  take(other: KeyServer): void {
    this.accounts = structuredClone(other.accounts);
    this.vaults = structuredClone(other.vaults);
    this.links = structuredClone(other.links);
    this.conversations = structuredClone(other.conversations);
  }

  /** Shows the vaults of another server beside its own lists, as a server does that keeps two branches. */
  showVaults(other: KeyServer): void {
    this.vaults = structuredClone(other.vaults);
    this.nextRow = Math.max(this.nextRow, other.nextRow);
  }

  /** Lies in the replies of a route until the returned function is called. */
  lie(name: string, tamper: Tamper): () => void {
    this.tampers.set(name, tamper);
    return () => void this.tampers.delete(name);
  }

  async call(session: Session, route: Route, parts: CallParts): Promise<unknown> {
    if (!this.isUp) refuse(0, 'network_error');
    const name = nameOfRoute(route);
    const handler = this.#handlers[name];
    if (!handler) throw new Error(`no handler of ${name}`);
    // Requests take turns, as under the lock of an account.
    const result = this.#tail.then(() => handler(session, structuredClone(parts)));
    this.#tail = result.catch(() => undefined);
    const reply = structuredClone(await result);
    const tamper = this.tampers.get(name);
    return tamper ? tamper(reply as never, session) : reply;
  }
}
