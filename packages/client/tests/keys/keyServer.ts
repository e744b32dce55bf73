import type { AccountKeys, DeviceLink, NewEpoch, OwnKeys, Route, VaultRow } from '@nolo/api';
import { routes } from '@nolo/api';
import {
  checkBoxKeys,
  checkClaim,
  checkFirstList,
  checkNack,
  checkNextList,
  checkOffer,
  equalBytes,
  findDevice,
  fromUuid,
  hashOfHeader,
  hashOfList,
  readBoxKeys,
  readHeader,
  readList,
  readSealed,
  Refusal,
  toUuid,
  vaultIdOf,
  type Bytes,
  type CheckedList,
} from '@nolo/e2ee';
import { ApiError } from '../../src/http/request.ts';
import { fromSigned, fromText, toText } from '../../src/keys/wire.ts';

/** Key server in memory, which follows the contract of the routes with simple code of its own. */

interface Signed {
  body: string;
  signature: string;
}
interface ServedDevice {
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
interface ServedVault {
  epochs: ServedEpoch[];
  rows: (VaultRow & { device: string })[];
  nacks: (Signed & { device: string; n: number })[];
}
interface ServedAccount {
  /** Lists of each chain. */
  chains: Signed[][];
  devices: Map<string, ServedDevice>;
  seeds: Map<string, string>;
}
interface ServedLink extends Omit<DeviceLink, 'own'> {
  userId: string;
  session: string;
  offeredDevice: string | null;
}

export interface Session {
  readonly userId: string;
  readonly id: string;
  readonly name: string;
}

interface CallParts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}
type Frame = { type: string; data: unknown };
type Tamper = (reply: never, session: Session) => unknown;

const refuse = (status: number, code: string): never => {
  throw new ApiError(status, { code }, code);
};

const hashOf = (body: Bytes): Promise<Bytes> => hashOfList({ body });

const nameOfRoute = (route: Route): string =>
  Object.entries(routes).find(([, one]) => one === route)?.[0] ?? route.path;

export class KeyServer {
  accounts = new Map<string, ServedAccount>();
  vaults = new Map<string, ServedVault>();
  links = new Map<string, ServedLink>();
  nextRow = 1;
  now: () => number;
  /** False: removals answer `proof_required`. */
  isProven = true;
  /** False: nothing is reachable. */
  isUp = true;
  /** Replaces the replies of a route, by its name. */
  readonly tampers = new Map<string, Tamper>();
  readonly listeners = new Map<string, (frame: Frame) => void>();
  #tail: Promise<unknown> = Promise.resolve();

  constructor(now: () => number) {
    this.now = now;
  }

  /** Copies what is stored: an older state, or one that goes another way. */
  clone(now = this.now): KeyServer {
    const copy = new KeyServer(now);
    Object.assign(copy, structuredClone({ nextRow: this.nextRow }));
    copy.take(this);
    for (const [id, name] of this.names) copy.names.set(id, name);
    return copy;
  }

  /** Takes over the state of another server, as a restored backup does. */
  take(other: KeyServer): void {
    this.accounts = structuredClone(other.accounts);
    this.vaults = structuredClone(other.vaults);
    this.links = structuredClone(other.links);
  }

  /** Shows the vaults of another server beside its own lists, as a server does that keeps two branches. */
  showVaults(other: KeyServer): void {
    this.vaults = structuredClone(other.vaults);
    this.nextRow = Math.max(this.nextRow, other.nextRow);
  }

  account(userId: string): ServedAccount {
    const known = this.accounts.get(userId) ?? { chains: [], devices: new Map(), seeds: new Map() };
    this.accounts.set(userId, known);
    return known;
  }

  /** Lies in the replies of a route until the returned function is called. */
  lie(name: string, tamper: Tamper): () => void {
    this.tampers.set(name, tamper);
    return () => void this.tampers.delete(name);
  }

  async call(session: Session, route: Route, parts: CallParts): Promise<unknown> {
    if (!this.isUp) refuse(0, 'network_error');
    const name = nameOfRoute(route);
    const handler = (this as unknown as Record<string, Handler>)[`on_${name}`];
    if (!handler) throw new Error(`no handler of ${name}`);
    // Requests take turns, as under the lock of an account.
    const result = this.#tail.then(() => handler.call(this, session, structuredClone(parts)));
    this.#tail = result.catch(() => undefined);
    const reply = structuredClone(await result);
    const tamper = this.tampers.get(name);
    return tamper ? tamper(reply as never, session) : reply;
  }

  #emit(userId: string, frame: Frame): void {
    for (const [key, listener] of this.listeners) if (key.startsWith(userId)) listener(frame);
  }

  #newest(account: ServedAccount): { chain: number; n: number } | null {
    const chain = account.chains.length - 1;
    return chain < 0 ? null : { chain, n: (account.chains[chain]?.length ?? 0) - 1 };
  }

  async #checked(account: ServedAccount): Promise<CheckedList> {
    const lists = (account.chains.at(-1) ?? []).map(fromSigned);
    const [first, last] = [lists[0], lists.at(-1)];
    if (!first || !last) return refuse(409, 'list_refused');
    const identity = (await checkFirstList(first)).identity;
    const list = readList(last);
    const hash = list.n === 0 ? identity : await hashOf(last.body);
    return { list, identity, hash };
  }

  #public(userId: string, { chain, after }: { chain?: number; after?: number }): AccountKeys {
    const account = this.account(userId);
    const newest = this.#newest(account);
    const from = { chain: chain ?? newest?.chain ?? 0, n: after ?? -1 };
    const lists = account.chains.flatMap((of, number) => of.map((signed, n) => ({ chain: number, n, ...signed })));
    const after_ = lists.filter((one) => one.chain > from.chain || (one.chain === from.chain && one.n > from.n));
    return {
      userId,
      newest,
      lists: after_.slice(0, 3),
      more: after_.length > 3,
      boxKeys: [...account.devices.values()].flatMap(({ id, boxKeys }) =>
        boxKeys ? [{ deviceId: id, ...boxKeys }] : [],
      ),
      suspended: [...account.devices.values()].filter((one) => one.suspendedAt !== null).map(({ id }) => id),
    };
  }

  #deviceOf(session: Session): ServedDevice | undefined {
    return [...this.account(session.userId).devices.values()].find((one) => one.session === session.id);
  }

  #requireDevice(session: Session): ServedDevice {
    return this.#deviceOf(session) ?? refuse(403, 'device_required');
  }

  async on_getOwnKeys(session: Session, { query = {} }: CallParts): Promise<OwnKeys> {
    const account = this.account(session.userId);
    const open = [...this.links.values()].filter((one) => one.userId === session.userId && this.#isOpen(one));
    return {
      ...this.#public(session.userId, query),
      sessionId: session.id,
      devices: [...account.devices.values()].map(({ id, kind, session: of, suspendedAt }) => ({
        id,
        kind,
        name: this.names.get(of ?? '') ?? '',
        createdAt: new Date(this.now()).toISOString(),
        lastUsedAt: null,
        network: null,
        place: null,
        current: of === session.id,
        suspendedAt,
        sessionExpired: false,
        sessionId: of,
      })),
      seeds: [...account.seeds].map(([passkeyId, wrapped]) => ({ passkeyId, credentialId: 'AA', wrapped })),
      links: open.map(({ id }) => id),
    };
  }
  readonly names = new Map<string, string>();

  async on_getUserKeys(_: Session, { params, query = {} }: CallParts) {
    return this.#public(String(params?.['id']), query);
  }

  async on_lookUpKeys(_: Session, { body }: CallParts) {
    const { accounts } = body as { accounts: { userId: string; chain?: number; after?: number }[] };
    return accounts.map(({ userId, ...position }) => this.#public(userId, position));
  }

  async on_addDeviceList(session: Session, { body }: CallParts) {
    return this.#add(session, body as ListBody, false);
  }

  async on_replaceIdentity(session: Session, { body }: CallParts) {
    if (!this.isProven) refuse(403, 'proof_required');
    return this.#add(session, body as ListBody, true);
  }

  async #add(session: Session, body: ListBody, replaces: boolean) {
    const account = this.account(session.userId);
    const statement = fromSigned(body.list);
    const read = readList(statement);
    const current = account.chains.at(-1);
    const stored = current?.[read.n];
    const position = (n: number, hash: Bytes) => ({ chain: account.chains.length - 1, n, hash: toText(hash) });
    if (stored?.body === body.list.body) return position(read.n, await hashOf(statement.body));
    const isLost = body.lost === true && !replaces;
    if (body.removes && !this.isProven) refuse(403, 'proof_required');
    if (current && !replaces && stored) refuse(409, 'list_conflict');
    const before = current && !replaces ? await this.#checked(account) : null;
    const checked = await (before ? checkNextList(before, statement) : checkFirstList(statement)).catch(toRefused);
    const added = checked.list.devices.filter(({ id }) => !before || !findDevice(before.list, id));
    if (!isLost) await this.#checkSigner(session, checked, before, added.length > 0);
    const isRecovery = before !== null && !sameRecovery(before, checked);
    if (added.length > 0 || isRecovery || !before) {
      if (!body.vault) refuse(400, 'list_refused');
      else await this.#commit(checked.identity, session.userId, body.vault, { list: checked, isLost });
    }
    if (before && !replaces) current?.push(body.list);
    else account.chains.push([body.list]);
    if (!before) account.devices.clear();
    for (const one of account.devices.keys()) if (!findDevice(checked.list, fromUuid(one))) account.devices.delete(one);
    for (const { id, kind } of added) {
      const own = body.boxKeys.find((keys) => equalBytes(readBoxKeys(fromSigned(keys)).device, id));
      if (!own && !isLost) return refuse(400, 'list_refused');
      const linked = [...this.links.values()].find((one) => one.offeredDevice === toUuid(id));
      for (const former of account.devices.values())
        if (linked && former.session === linked.session)
          Object.assign(former, { session: null, suspendedAt: new Date(this.now()).toISOString() });
      const device: ServedDevice = {
        id: toUuid(id),
        kind,
        session: linked?.session ?? (isLost ? null : session.id),
        boxKeys: own && { ...own, number: readBoxKeys(fromSigned(own)).number },
        suspendedAt: isLost && !linked ? new Date(this.now()).toISOString() : null,
      };
      account.devices.set(device.id, device);
    }
    if (before && isRecovery && before.list.recovery) account.seeds.clear();
    this.#emit(session.userId, { type: 'devices_changed', data: { userId: session.userId, ...this.#newest(account) } });
    return position(read.n, checked.hash);
  }

  async #checkSigner(session: Session, checked: CheckedList, before: CheckedList | null, adds: boolean): Promise<void> {
    const own = this.#deviceOf(session)?.id;
    if (!before) return;
    const isRecovery = checked.list.signer.every((byte) => byte === 0);
    if (!isRecovery && own !== toUuid(checked.list.signer)) refuse(403, 'device_mismatch');
    if (isRecovery && adds && own) refuse(409, 'device_present');
  }

  #vault(id: string): ServedVault {
    const known = this.vaults.get(id) ?? { epochs: [], rows: [], nacks: [] };
    this.vaults.set(id, known);
    return known;
  }

  async #commit(
    identity: Bytes,
    userId: string,
    epoch: NewEpoch,
    { list, isLost = false }: { list?: CheckedList; isLost?: boolean } = {},
  ) {
    const id = toUuid(await vaultIdOf(fromUuid(userId), identity));
    const vault = this.#vault(id);
    const header = readHeader(fromSigned(epoch.header));
    const hash = toText(await hashOfHeader(fromSigned(epoch.header)));
    const same = vault.epochs[header.n];
    if (same?.hash === hash) return { n: header.n, hash };
    const previous = header.previous && toText(header.previous);
    if (header.n !== vault.epochs.length || previous !== (vault.epochs.at(-1)?.hash ?? null))
      return refuse(409, 'epoch_stale');
    const newest = list ?? (await this.#checked(this.account(userId)));
    const named = header.changes.find((one) => one.type === 3 || one.type === 0);
    if (!isLost && named && 'list' in named && named.list && !equalBytes(named.list.hash, newest.hash))
      refuse(409, 'epoch_stale');
    if (!isLost && newest.list.recovery && !epoch.boxes.some(({ deviceId }) => /^[0-]+$/.test(deviceId)))
      refuse(400, 'epoch_refused');
    vault.epochs.push({
      n: header.n,
      hash,
      header: epoch.header,
      roster: epoch.roster,
      boxes: new Map(epoch.boxes.map(({ deviceId, box }) => [deviceId, box])),
      answers: new Map(),
      previousSecret: epoch.previousSecret ?? null,
    });
    this.#emit(userId, { type: 'epochs_changed', data: { id } });
    return { n: header.n, hash };
  }

  #ownVault(id: string): ServedVault {
    return this.vaults.get(id) ?? refuse(404, 'conversation_not_found');
  }

  async on_listEpochs(session: Session, { params, query = {} }: CallParts) {
    const vault = this.#ownVault(String(params?.['id']));
    const device = this.#deviceOf(session)?.id ?? '';
    const items = vault.epochs
      .filter(({ n }) => n >= Number(query['from'] ?? 0))
      .map((one) => ({
        n: one.n,
        hash: one.hash,
        ...one.header,
        roster: one.roster,
        box: one.boxes.get(device) ?? null,
        answer: one.answers.get(device) ?? null,
        recoveryBox: one.boxes.get('00000000-0000-0000-0000-000000000000') ?? null,
        previousSecret: one.previousSecret,
      }));
    return { items: items.slice(0, 2), more: items.length > 2 };
  }

  async on_commitEpoch(session: Session, { params, body }: CallParts) {
    const epoch = body as NewEpoch & { lost?: boolean };
    if (!epoch.lost) this.#requireDevice(session);
    const account = this.account(session.userId);
    const { identity } = await this.#checked(account);
    if (toUuid(await vaultIdOf(fromUuid(session.userId), identity)) !== params?.['id'])
      refuse(404, 'conversation_not_found');
    return this.#commit(identity, session.userId, epoch, { isLost: epoch.lost === true });
  }

  async on_sendNack(session: Session, { params, body }: CallParts) {
    const device = this.#requireDevice(session);
    const signed = body as Signed;
    const { n } = await checkNack(fromSigned(signed), (await this.#checked(this.account(session.userId))).list);
    const vault = this.#ownVault(String(params?.['id']));
    vault.nacks = vault.nacks.filter((one) => one.device !== device.id);
    vault.nacks.push({ ...signed, device: device.id, n });
    this.#emit(session.userId, { type: 'epochs_changed', data: {} });
  }

  async on_listNacks(session: Session, { params }: CallParts) {
    this.#requireDevice(session);
    return this.#ownVault(String(params?.['id'])).nacks.map(({ body, signature }) => ({ body, signature }));
  }

  async on_answerNack(session: Session, { params, body }: CallParts) {
    this.#requireDevice(session);
    const { deviceId, box } = body as { deviceId: string; box: string };
    const vault = this.#ownVault(String(params?.['id']));
    if (!vault.nacks.some((one) => one.device === deviceId)) refuse(404, 'nack_not_found');
    vault.epochs[Number(params?.['n'])]?.answers.set(deviceId, box);
    vault.nacks = vault.nacks.filter((one) => one.device !== deviceId);
    this.#emit(session.userId, { type: 'epochs_changed', data: {} });
  }

  async on_listVaultRows(_: Session, { params, query = {} }: CallParts) {
    const rows = this.#ownVault(String(params?.['id'])).rows.filter(({ row }) => row > Number(query['after'] ?? -1));
    const items = rows.slice(0, 4).map(({ device: __, ...row }) => row);
    return { items, more: rows.length > 4 };
  }

  async on_addVaultRow(session: Session, { params, body }: CallParts) {
    const device = this.#requireDevice(session);
    const vault = this.#ownVault(String(params?.['id']));
    const row = body as Omit<VaultRow, 'row'>;
    const same = vault.rows.find((one) => one.clientMessageId === row.clientMessageId && one.device === device.id);
    if (same) return { row: same.row };
    if (readSealed(fromText(row.sealed)).epoch !== vault.epochs.length - 1) refuse(409, 'epoch_stale');
    const number = this.nextRow;
    this.nextRow += 2;
    vault.rows.push({ ...row, row: number, device: device.id });
    this.#emit(session.userId, { type: 'vault_changed', data: {} });
    return { row: number };
  }

  async on_deleteVaultRows(session: Session, { params, query = {} }: CallParts) {
    this.#requireDevice(session);
    const vault = this.#ownVault(String(params?.['id']));
    vault.rows = vault.rows.filter(({ row }) => row < Number(query['from']) || row > Number(query['to']));
  }

  async on_renewBoxKeys(session: Session, { body }: CallParts) {
    const device = this.#requireDevice(session);
    const { boxKeys } = body as { boxKeys: Signed };
    const { list } = await this.#checked(this.account(session.userId));
    const { number } = await checkBoxKeys(fromSigned(boxKeys), list, fromUuid(device.id)).catch(toRefused);
    if (device.boxKeys?.body === boxKeys.body) return;
    if (device.boxKeys && number <= device.boxKeys.number) refuse(400, 'box_keys_refused');
    device.boxKeys = { ...boxKeys, number };
  }

  async on_claimDevice(session: Session, { params, body }: CallParts) {
    const account = this.account(session.userId);
    const device = account.devices.get(String(params?.['id'])) ?? refuse(404, 'device_not_found');
    const own = this.#deviceOf(session);
    if (own && own.id !== device.id) refuse(409, 'device_present');
    const listed = findDevice((await this.#checked(account)).list, fromUuid(device.id));
    const claim = { account: fromUuid(session.userId), device: fromUuid(device.id), session: fromUuid(session.id) };
    if (listed)
      await checkClaim(claim, listed.signKey, fromText((body as { signature: string }).signature)).catch(toRefused);
    device.session = session.id;
    device.suspendedAt = null;
  }

  async on_putRecoverySeed(session: Session, { params, body }: CallParts) {
    this.#requireDevice(session);
    this.account(session.userId).seeds.set(String(params?.['id']), (body as { wrapped: string }).wrapped);
  }

  async on_deleteRecoverySeed(session: Session, { params }: CallParts) {
    this.account(session.userId).seeds.delete(String(params?.['id']));
  }

  #isOpen(link: ServedLink): boolean {
    return Date.parse(link.expiresAt) > this.now();
  }

  async on_beginDeviceLink(session: Session, { body }: CallParts): Promise<DeviceLink> {
    const first = body as { offer: string } | { commitment: string };
    const offered = 'offer' in first ? await checkOffer(fromText(first.offer), fromUuid(session.userId)) : null;
    for (const [id, link] of this.links) if (link.session === session.id) this.links.delete(id);
    const id = offered ? toUuid(offered.device) : crypto.randomUUID();
    const link: ServedLink = {
      id,
      state: offered ? 'offered' : 'committed',
      expiresAt: new Date(this.now() + 600_000).toISOString(),
      commitment: 'commitment' in first ? first.commitment : null,
      offer: 'offer' in first ? first.offer : null,
      newRandom: null,
      oldRandom: null,
      head: null,
      answer: null,
      done: null,
      userAgent: session.name,
      place: null,
      userId: session.userId,
      session: session.id,
      offeredDevice: offered ? id : null,
    };
    this.links.set(id, link);
    return this.#answer(session, link);
  }

  #answer(session: Session, link: ServedLink): DeviceLink {
    this.#emit(session.userId, { type: 'device_link_changed', data: { id: link.id } });
    return this.#shown(session, link);
  }

  #shown({ id }: Session, link: ServedLink): DeviceLink {
    return { ...link, own: link.session === id };
  }

  #link(session: Session, parts: CallParts): ServedLink {
    const link = this.links.get(String(parts.params?.['id']));
    if (!link || link.userId !== session.userId || !this.#isOpen(link)) return refuse(404, 'link_not_found');
    return link;
  }

  async on_getDeviceLink(session: Session, parts: CallParts) {
    return this.#shown(session, this.#link(session, parts));
  }

  /** Takes a step once; the same content again gets the first answer. */
  #step(session: Session, parts: CallParts, state: DeviceLink['state'], fields: Partial<DeviceLink>): DeviceLink {
    const link = this.#link(session, parts);
    const known = Object.keys(fields).filter((key) => link[key as keyof ServedLink] !== null);
    const isSame = known.every((key) => link[key as keyof ServedLink] === fields[key as keyof DeviceLink]);
    if (known.length > 0 && !isSame) refuse(409, 'link_conflict');
    if (known.length > 0) return this.#shown(session, link);
    Object.assign(link, fields, { state });
    return this.#answer(session, link);
  }

  async on_challengeDeviceLink(session: Session, parts: CallParts) {
    this.#requireDevice(session);
    const { random, head } = parts.body as { random: string; head: string };
    return this.#step(session, parts, 'challenged', { oldRandom: random, head });
  }

  async on_openDeviceLink(session: Session, parts: CallParts) {
    const { random, offer } = parts.body as { random: string; offer: string };
    const reply = this.#step(session, parts, 'opened', { newRandom: random, offer });
    const { device } = await checkOffer(fromText(offer), fromUuid(session.userId));
    this.#link(session, parts).offeredDevice = toUuid(device);
    return reply;
  }

  async on_answerDeviceLink(session: Session, parts: CallParts) {
    this.#requireDevice(session);
    return this.#step(session, parts, 'answered', { answer: (parts.body as { answer: string }).answer });
  }

  async on_confirmDeviceLink(session: Session, parts: CallParts) {
    return this.#step(session, parts, 'confirmed', { done: (parts.body as { done: string }).done });
  }

  async on_endDeviceLink(session: Session, parts: CallParts) {
    const link = this.#link(session, parts);
    this.links.delete(link.id);
    this.#emit(session.userId, { type: 'device_link_changed', data: { id: link.id } });
  }
}

interface ListBody {
  list: Signed;
  boxKeys: Signed[];
  vault?: NewEpoch;
  removes?: boolean;
  lost?: boolean;
}
type Handler = (session: Session, parts: CallParts) => Promise<unknown>;

function toRefused(error: unknown): never {
  if (error instanceof Refusal) return refuse(400, 'list_refused');
  throw error;
}

const sameRecovery = ({ list: a }: CheckedList, { list: b }: CheckedList): boolean =>
  a.recovery && b.recovery ? equalBytes(a.recovery.signKey, b.recovery.signKey) : a.recovery === b.recovery;
