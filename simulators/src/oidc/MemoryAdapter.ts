import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

interface Entry {
  payload: AdapterPayload;
  expiresAt: number;
}

/** Maximum number of sessions, codes and grants together; the oldest are evicted first. */
const capacity = 20_000;

/**
 * Stores oidc-provider's models in memory, with a limit. The library's own memory adapter warns at every start that it
 * is not for production, which is noise here.
 */
class MemoryAdapter implements Adapter {
  readonly #model: string;
  readonly #entries: Map<string, Entry>;

  constructor(model: string, entries: Map<string, Entry>) {
    this.#model = model;
    this.#entries = entries;
  }

  upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const key = `${this.#model}:${id}`;
    const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresIn * 1000;
    this.#entries.delete(key);
    this.#entries.set(key, { payload, expiresAt });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= capacity) break;
      this.#entries.delete(oldest);
    }
    return Promise.resolve();
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.#read(`${this.#model}:${id}`));
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.#search((payload) => payload.uid === uid));
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.#search((payload) => payload.userCode === userCode));
  }

  consume(id: string): Promise<void> {
    const payload = this.#read(`${this.#model}:${id}`);
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    return Promise.resolve();
  }

  destroy(id: string): Promise<void> {
    this.#entries.delete(`${this.#model}:${id}`);
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    // Deletes from this model only: a sign-in in progress carries the grant's id too and continues without the grant.
    for (const [key, { payload }] of this.#entries) {
      if (key.startsWith(`${this.#model}:`) && payload.grantId === grantId) this.#entries.delete(key);
    }
    return Promise.resolve();
  }

  #read(key: string): AdapterPayload | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.expiresAt > Date.now()) return entry.payload;
    this.#entries.delete(key);
    return undefined;
  }

  #search(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload }] of this.#entries) {
      if (key.startsWith(`${this.#model}:`) && matches(payload)) return this.#read(key);
    }
    return undefined;
  }
}

export function createMemoryAdapters(): AdapterFactory {
  const entries = new Map<string, Entry>();
  return (model) => new MemoryAdapter(model, entries);
}
