import { bindRpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { KeyServiceDefinition, type ListState } from '@nolo/proto/keys';
import type { SignedList, TestDevice } from '@nolo/testing/keys';

type Handlers = RpcHandlers<typeof KeyServiceDefinition>;

interface KnownAccount {
  newest: SignedList;
  /** All lists that were accepted. */
  lists: SignedList[];
  /** Devices by their sessions. */
  sessions: Map<string, string>;
  suspended: Set<string>;
  keyless: Set<string>;
}

const nobody = (): Omit<KnownAccount, 'newest'> => ({
  lists: [],
  sessions: new Map(),
  suspended: new Set(),
  keyless: new Set(),
});

/** Fake of identity's part for keys: newest lists, and devices of sessions. */
export function memoryKeys() {
  const accounts = new Map<string, KnownAccount>();

  const stateOf = (
    { newest, suspended, keyless }: Omit<KnownAccount, 'sessions' | 'lists'>,
    deviceId: string | undefined,
  ): ListState => ({
    list: newest.message.list.body,
    hash: Buffer.from(newest.checked.hash),
    identity: Buffer.from(newest.checked.identity),
    suspended: [...suspended],
    keyless: [...keyless],
    deviceId,
    receivedAt: undefined,
  });

  const known: Pick<Handlers, 'getListState'> = {
    async getListState({ userId = '', sessionId = '', named }) {
      const account = accounts.get(userId);
      if (!account) return { suspended: [], keyless: [] };
      const found = account.lists.find(({ checked }) => named && Buffer.from(checked.hash).equals(named));
      return { ...stateOf(account, account.sessions.get(sessionId)), named: found?.message.list.body };
    },
  };
  const service = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`chat must not call ${String(name)} of identity.`);
      }),
  }) as Handlers;

  const accountOf = (userId: string): KnownAccount => {
    const account = accounts.get(userId);
    if (!account) throw new Error('This account has no list.');
    return account;
  };

  return {
    service: bindRpcService(KeyServiceDefinition, service),
    /** Makes a list the newest one of an account. */
    accept(userId: string, newest: SignedList): void {
      const account = accounts.get(userId) ?? nobody();
      accounts.set(userId, { ...account, newest, lists: [...account.lists, newest] });
    },
    signIn(userId: string, sessionId: string, device: TestDevice): void {
      accountOf(userId).sessions.set(sessionId, device.uuid);
    },
    suspend(userId: string, device: TestDevice, isSuspended = true): void {
      const { suspended } = accountOf(userId);
      if (isSuspended) suspended.add(device.uuid);
      else suspended.delete(device.uuid);
    },
    /** Makes a device one without box keys, or with some again. */
    setKeyless(userId: string, device: TestDevice, isKeyless = true): void {
      const { keyless } = accountOf(userId);
      if (isKeyless) keyless.add(device.uuid);
      else keyless.delete(device.uuid);
    },
    /** Returns what identity hands over with a list that it is about to accept. */
    stateFor: (userId: string, newest: SignedList, device: TestDevice, receivedAt = new Date()): ListState => ({
      ...stateOf({ ...(accounts.get(userId) ?? nobody()), newest }, device.uuid),
      receivedAt,
    }),
  };
}
