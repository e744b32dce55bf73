import type { DeviceLink, Message, VaultRow } from '@nolo/api';
import { checkFirstList, hashOfList, readList, Refusal, type CheckedList } from '@nolo/e2ee';
import { ApiError } from '../../src/http/request.ts';
import { fromSigned } from '../../src/keys/wire.ts';

/** State of the key server in memory, and what its handlers share. */

export interface Signed {
  body: string;
  signature: string;
}
export interface ServedDevice {
  id: string;
  kind: 0 | 1 | 2;
  session: string | null;
  /** Undefined if a lost list came without them. */
  boxKeys: (Signed & { number: number }) | undefined;
  suspendedAt: string | null;
}
interface ServedEpoch {
  n: number;
  hash: string;
  header: Signed;
  roster: string;
  boxes: Map<string, string>;
  answers: Map<string, string>;
  previousSecret: string | null;
}
export interface ServedVault {
  epochs: ServedEpoch[];
  rows: (VaultRow & { device: string })[];
  nacks: (Signed & { device: string; n: number })[];
}
export interface ServedAccount {
  /** Lists of each chain. */
  chains: Signed[][];
  devices: Map<string, ServedDevice>;
  seeds: Map<string, string>;
}
export interface ServedLink extends Omit<DeviceLink, 'own'> {
  userId: string;
  session: string;
  offeredDevice: string | null;
}

export interface ServedConversation {
  type: 'direct' | 'group';
  members: { userId: string; role: 0 | 1 | 2 }[];
  timer: number;
  admission: 0 | 1;
  epochs: (ServedEpoch & { seq: number; changeSeq: number; at: string })[];
  messages: Message[];
  changeSeq: number;
  nacks: (Signed & { device: string; n: number })[];
  /** Signed additions by account. */
  additions: Map<string, string>;
  /** Signed leaves by account. */
  leaves: Map<string, string>;
  removalPending: boolean;
}

export interface Session {
  readonly userId: string;
  readonly id: string;
  readonly name: string;
}

export interface CallParts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export type Frame = { type: string; data: unknown };
export type Handler = (session: Session, parts: CallParts) => Promise<unknown>;

export const refuse = (status: number, code: string): never => {
  throw new ApiError(status, { code }, code);
};

export function toRefused(error: unknown): never {
  if (error instanceof Refusal) return refuse(400, 'list_refused');
  throw error;
}

export class ServedState {
  accounts = new Map<string, ServedAccount>();
  vaults = new Map<string, ServedVault>();
  links = new Map<string, ServedLink>();
  conversations = new Map<string, ServedConversation>();
  nextRow = 1;
  now: () => number;
  /** False: removals answer `proof_required`. */
  isProven = true;
  /** User-Agents of sessions. */
  readonly names = new Map<string, string>();
  readonly listeners = new Map<string, (frame: Frame) => void>();

  constructor(now: () => number) {
    this.now = now;
  }

  account(userId: string): ServedAccount {
    const known = this.accounts.get(userId) ?? { chains: [], devices: new Map(), seeds: new Map() };
    this.accounts.set(userId, known);
    return known;
  }

  emit(userId: string, frame: Frame): void {
    for (const [key, listener] of this.listeners) if (key.startsWith(userId)) listener(frame);
  }

  newest(account: ServedAccount): { chain: number; n: number } | null {
    const chain = account.chains.length - 1;
    return chain < 0 ? null : { chain, n: (account.chains[chain]?.length ?? 0) - 1 };
  }

  async checked(account: ServedAccount): Promise<CheckedList> {
    const lists = (account.chains.at(-1) ?? []).map(fromSigned);
    const [first, last] = [lists[0], lists.at(-1)];
    if (!first || !last) return refuse(409, 'list_refused');
    const identity = (await checkFirstList(first)).identity;
    const list = readList(last);
    const hash = list.n === 0 ? identity : await hashOfList({ body: last.body });
    return { list, identity, hash };
  }

  deviceOf(session: Session): ServedDevice | undefined {
    return [...this.account(session.userId).devices.values()].find((one) => one.session === session.id);
  }

  requireDevice(session: Session): ServedDevice {
    return this.deviceOf(session) ?? refuse(403, 'device_required');
  }

  isOpen(link: ServedLink): boolean {
    return Date.parse(link.expiresAt) > this.now();
  }
}
