import { bindRpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { KeyServiceDefinition, type AccountListState, type ListState, type ListStateQuery } from '@nolo/proto/keys';
import type { SignedList, TestDevice } from '@nolo/testing/keys';

type Handlers = RpcHandlers<typeof KeyServiceDefinition>;

interface KnownAccount {
  newest: SignedList;
  /** All lists that were accepted. */
  lists: SignedList[];
  /** When each of them was accepted. */
  times: Date[];
  /** Devices by their sessions. */
  sessions: Map<string, string>;
  suspended: Set<string>;
  keyless: Set<string>;
  /** Devices whose box keys are old. */
  outdated: Set<string>;
}

const hashOf = ({ checked }: SignedList): Buffer => Buffer.from(checked.hash);

/** Returns what identity says about one of several accounts. */
function accountStateOf(
  { newest, lists, times, sessions, suspended, keyless, outdated }: KnownAccount,
  { userId, named, known }: ListStateQuery,
  sessionId: string,
): AccountListState {
  const without = (list: SignedList) =>
    known.some((hash) => hash.equals(hashOf(list))) ? undefined : list.message.list.body;
  const asked = lists.filter((list) => [...named, ...known].some((hash) => hash.equals(hashOf(list))));
  return {
    userId,
    hash: hashOf(newest),
    identity: Buffer.from(newest.checked.identity),
    list: without(newest),
    suspended: [...suspended],
    keyless: [...keyless],
    outdated: [...outdated],
    deviceId: sessions.get(sessionId),
    firstAt: times[0],
    named: asked.map((list) => ({
      hash: hashOf(list),
      identity: Buffer.from(list.checked.identity),
      list: without(list),
      supersededAt: times[lists.indexOf(list) + 1],
    })),
  };
}

const nobody = (): Omit<KnownAccount, 'newest'> => ({
  lists: [],
  times: [],
  sessions: new Map(),
  suspended: new Set(),
  keyless: new Set(),
  outdated: new Set(),
});

/** Fake of identity's part for keys: newest lists, and devices of sessions. */
export function memoryKeys() {
  const accounts = new Map<string, KnownAccount>();
  let beforeAnswer: (() => Promise<void>) | undefined;

  const stateOf = (
    { newest, suspended, keyless }: Pick<KnownAccount, 'newest' | 'suspended' | 'keyless'>,
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

  const known: Pick<Handlers, 'getListState' | 'findListStates'> = {
    async findListStates({ sessionId = '', accounts: queries }) {
      const before = beforeAnswer;
      beforeAnswer = undefined;
      await before?.();
      const found = queries.flatMap((query) => {
        const account = accounts.get(query.userId ?? '');
        return account ? [accountStateOf(account, query, sessionId)] : [];
      });
      return { accounts: found };
    },
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
    accept(userId: string, newest: SignedList, at = new Date()): void {
      const account = accounts.get(userId) ?? nobody();
      accounts.set(userId, {
        ...account,
        newest,
        lists: [...account.lists, newest],
        times: [...account.times, at],
      });
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
    /** Sets what happens before the next answer about several accounts. */
    beforeNextAnswer(work: () => Promise<void>): void {
      beforeAnswer = work;
    },
    /** Makes the box keys of a device old. */
    setOutdated(userId: string, device: TestDevice): void {
      accountOf(userId).outdated.add(device.uuid);
    },
    /** Returns what identity hands over with a list that it is about to accept. */
    stateFor: (userId: string, newest: SignedList, device: TestDevice, receivedAt = new Date()): ListState => ({
      ...stateOf({ ...(accounts.get(userId) ?? nobody()), newest }, device.uuid),
      receivedAt,
    }),
  };
}
