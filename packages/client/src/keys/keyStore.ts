import { createStoreKey, openFromStore, sealForStore, type Bytes, type StoreKey } from '@nolo/e2ee';
import type { KeysPorts } from './ports.ts';

/**
 * Storage of values with secrets in them. Where the storage keeps handles of the engine, bytes of secrets are sealed
 * under a key that nobody can read (docs/encryption.md, section 3).
 */
export interface KeyStore {
  read<T>(key: string): Promise<T | undefined>;
  /** Returns the values whose keys begin with the prefix, in the order of their keys. */
  list<T>(prefix: string): Promise<T[]>;
  /** Writes all values or none. Undefined deletes. */
  write(values: Readonly<Record<string, unknown>>): Promise<void>;
  /** Forgets what was read, before and after others may have changed it. */
  forget(): void;
}

/** Fields that hold secret bytes, wherever they stand in a value. */
const secretFields: ReadonlySet<string> = new Set(['privateKey', 'secret', 'seed']);

const sealedField = 'sealedForStore';
const storeKeyName = 'storeKey';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && value.constructor?.name === 'Object';

/** Maps the secrets in a value. Handles of the engine and bytes are left as they are. */
async function mapSecrets(
  value: unknown,
  map: (field: string, inner: unknown) => Promise<unknown> | undefined,
): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => mapSecrets(one, map)));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(
    async ([field, inner]) => [field, await (map(field, inner) ?? mapSecrets(inner, map))] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

const seal = (key: StoreKey, value: unknown) =>
  mapSecrets(value, (field, inner) =>
    secretFields.has(field) && inner instanceof Uint8Array
      ? sealForStore(key, Uint8Array.from(inner)).then((bytes) => ({ [sealedField]: bytes }))
      : undefined,
  );

const open = (key: StoreKey, value: unknown) =>
  mapSecrets(value, (field, inner) =>
    secretFields.has(field) && isRecord(inner) && sealedField in inner
      ? openFromStore(key, inner[sealedField] as Bytes)
      : undefined,
  );

/** Creates the store. All calls run alone. */
export function createKeyStore({ storage, keyForm }: Pick<KeysPorts, 'storage' | 'keyForm'>): KeyStore {
  let known: StoreKey | undefined;
  /** Values as they were read. Each has to be decoded, and a task reads the same ones often. */
  const read = new Map<string, unknown>();
  let writes = 0;

  const storeKey = async (): Promise<StoreKey | undefined> => {
    if (keyForm === 'bytes') return undefined;
    known ??= (await storage.read(storeKeyName)) as StoreKey | undefined;
    if (known) return known;
    await storage.write({ [storeKeyName]: await createStoreKey() });
    // Uses what the engine gave back, so that keys which it cannot keep are noticed before anything is sealed.
    known = (await storage.read(storeKeyName)) as StoreKey;
    return known;
  };
  const opened = async <T>(value: unknown): Promise<T> => {
    const key = value === undefined ? undefined : await storeKey();
    return (key ? await open(key, value) : value) as T;
  };

  return {
    async read<T>(key: string) {
      if (read.has(key)) return read.get(key) as T | undefined;
      const before = writes;
      const value = await opened<T | undefined>(await storage.read(key));
      if (before === writes) read.set(key, value);
      return value;
    },
    list: async <T>(prefix: string) => Promise.all((await storage.list(prefix)).map(([, value]) => opened<T>(value))),
    async write(values) {
      const key = await storeKey();
      const entries = Object.entries(values).map(
        async ([name, value]) => [name, key && value !== undefined ? await seal(key, value) : value] as const,
      );
      await storage.write(Object.fromEntries(await Promise.all(entries)));
      writes += 1;
      for (const name of Object.keys(values)) read.delete(name);
    },
    forget() {
      writes += 1;
      read.clear();
    },
  };
}
