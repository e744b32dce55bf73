import { bindRpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { KeyServiceDefinition, type ListState } from '@nolo/proto/keys';
import type { SignedList, TestDevice } from '@nolo/testing/keys';

type Handlers = RpcHandlers<typeof KeyServiceDefinition>;

interface KnownAccount {
  newest: SignedList;
  /** Devices by their sessions. */
  sessions: Map<string, string>;
  suspended: Set<string>;
}

/** Fake of identity's part for keys: newest lists, and devices of sessions. */
export function memoryKeys() {
  const accounts = new Map<string, KnownAccount>();

  const stateOf = ({ newest, suspended }: KnownAccount, deviceId: string | undefined): ListState => ({
    list: newest.message.list.body,
    hash: Buffer.from(newest.checked.hash),
    identity: Buffer.from(newest.checked.identity),
    suspended: [...suspended],
    deviceId,
    receivedAt: undefined,
  });

  const known: Pick<Handlers, 'getListState'> = {
    async getListState({ userId = '', sessionId = '' }) {
      const account = accounts.get(userId);
      return account ? stateOf(account, account.sessions.get(sessionId)) : { suspended: [] };
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
      const { sessions = new Map<string, string>(), suspended = new Set<string>() } = accounts.get(userId) ?? {};
      accounts.set(userId, { newest, sessions, suspended });
    },
    signIn(userId: string, sessionId: string, device: TestDevice): void {
      accountOf(userId).sessions.set(sessionId, device.uuid);
    },
    suspend(userId: string, device: TestDevice, isSuspended = true): void {
      const { suspended } = accountOf(userId);
      if (isSuspended) suspended.add(device.uuid);
      else suspended.delete(device.uuid);
    },
    /** Returns what identity hands over with a list that it is about to accept. */
    stateFor: (userId: string, newest: SignedList, device: TestDevice, receivedAt = new Date()): ListState => ({
      ...stateOf({ newest, sessions: new Map(), suspended: accounts.get(userId)?.suspended ?? new Set() }, device.uuid),
      receivedAt,
    }),
  };
}
