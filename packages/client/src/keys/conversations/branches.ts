import {
  equalBytes,
  judgeConversationFork,
  mayEndFork,
  removedIn,
  toPastHeader,
  type BranchEpoch,
  type Bytes,
  type Change,
  type ConversationFork,
  type ListResolver,
} from '@nolo/e2ee';
import {
  hasEpoch,
  headerOf,
  membersOf,
  type Conversation,
  type ConversationEpoch,
  type SwitchedBranch,
} from './conversation.ts';

/** Branches of a conversation that the server showed, and what ends a fork (docs/encryption.md, section 4). */

type Chain = readonly ConversationEpoch[];

/** Returns all known epochs up to one. */
function chainTo({ epochs, others }: Conversation, tip: Bytes): Chain {
  const chain: ConversationEpoch[] = [];
  for (let hash: Bytes | null = tip; hash !== null;) {
    const wanted: Bytes = hash;
    const found: ConversationEpoch | undefined = [...epochs, ...others].find((one) => equalBytes(one.hash, wanted));
    if (!found) break;
    chain.unshift(found);
    hash = headerOf(found).previous;
  }
  return chain;
}

/** Returns the own branch, and the others of a fork that has not ended. */
const chainsOf = (conversation: Conversation): Chain[] => [
  conversation.epochs,
  ...conversation.forks.map((tip) => chainTo(conversation, tip)),
];

/** Returns the other branch that contains a header of another branch than the own one. */
export const otherBranchOf = (conversation: Conversation, n: number): Chain | undefined => {
  const found = conversation.others.find((one) => one.n === n);
  const tip = found && conversation.others.findLast((one) => chainTo(conversation, one.hash).includes(found));
  return tip && chainTo(conversation, tip.hash);
};

const toBranchEpoch = (epoch: ConversationEpoch): BranchEpoch => ({
  hash: epoch.hash,
  header: headerOf(epoch),
  members: membersOf(epoch),
});

/** Returns the fork of two chains; undefined if they have no header in common that this device knows. */
function forkOf(a: Chain, b: Chain, lists: ListResolver): ConversationFork | undefined {
  const at = a.findIndex((one, index) => !b[index] || !equalBytes(one.hash, b[index].hash));
  const from = at === -1 ? a.length : at;
  const common = a[from - 1];
  if (!common) return undefined;
  const [first, second] = [a.slice(from).map(toBranchEpoch), b.slice(from).map(toBranchEpoch)];
  return { common: toBranchEpoch(common), first, second, lists };
}

function judge(a: Chain, b: Chain, lists: ListResolver) {
  const fork = forkOf(a, b, lists);
  return fork ? judgeConversationFork(fork) : ({ verdict: 'final' } as const);
}

/** Returns true if the server showed two versions from the start, which nothing ends (section 4). */
export const hasTwoBeginnings = ({ epochs, others }: Conversation): boolean =>
  epochs[0]?.n === 0 && others.some(({ n }) => n === 0);

/** Adds a branch that the server shows, from the first epoch that this device knows. */
export function withBranch(known: Conversation, branch: Chain): Conversation {
  const tip = branch.at(-1);
  if (!tip) return known;
  const fresh = branch.filter((one) => !hasEpoch(known.epochs, one.hash));
  const others = [...known.others.filter((one) => !hasEpoch(fresh, one.hash)), ...fresh];
  const forks = known.forks.filter((one) => !hasEpoch(branch, one));
  const isKnown = forks.some((one) => hasEpoch(chainTo(known, one), tip.hash));
  return { ...known, others, forks: isKnown ? forks : [...forks, tip.hash], shown: tip.hash };
}

/** Puts another branch in the place of the own one. The epochs of both stay. */
export function switchTo(conversation: Conversation, chain: Chain): Conversation {
  const newest = chain.at(-1);
  if (!newest || chain === conversation.epochs) return conversation;
  const left = conversation.epochs.filter((one) => !hasEpoch(chain, one.hash));
  const tip = left.at(-1);
  const forks = conversation.forks.filter((one) => !hasEpoch(chain, one));
  // A newcomer has a history from before the first epoch.
  const { history = [] } = conversation.head ?? {};
  const earlier = history.slice(0, Math.max(history.length - conversation.epochs.length, 0));
  return {
    ...conversation,
    epochs: chain,
    others: [...conversation.others.filter((one) => !hasEpoch(chain, one.hash)), ...left],
    forks: tip ? [...forks, tip.hash] : forks,
    head: {
      ...toBranchEpoch(newest),
      history: [...earlier, ...chain.map(({ hash, statement }) => toPastHeader(hash, headerOf({ statement })))],
    },
    pending: null,
    // Rows of the branch that is left are named no more.
    own: [],
  };
}

/** Changes that the user of a client accepted with a branch: removals, leaves, roles, and settings. */
const acceptedTypes: ReadonlySet<number> = new Set([1, 2, 4, 5]);

const nameOfChange = (change: Change): string => {
  const { type, account } = change;
  const value = change.type === 4 ? change.role : change.type === 5 ? change.setting : null;
  return JSON.stringify([type, [...account], value], (_, inner: unknown) =>
    inner instanceof Uint8Array ? [...inner] : inner,
  );
};

const acceptedIn = (branch: readonly BranchEpoch[]): string[] =>
  branch.flatMap(({ header }) => header.changes.filter(({ type }) => acceptedTypes.has(type)).map(nameOfChange));

function switchedBy({ first, second }: ConversationFork): SwitchedBranch[] {
  const taken = new Set(acceptedIn(second));
  const [start] = second;
  return start ? [{ hash: start.hash, isAsked: acceptedIn(first).some((one) => !taken.has(one)) }] : [];
}

/**
 * Ends the fork that the rules decide. It stays while the server shows another branch than the one that counts.
 *
 * @param lists of all members in all branches
 */
export function settleForks(conversation: Conversation, lists: ListResolver): Conversation {
  const { epochs, forks, shown } = conversation;
  if (forks.length === 0) return conversation;
  const chains = chainsOf(conversation);
  const winner = chains.find((one) =>
    chains.every((other) => other === one || judge(one, other, lists).verdict === 'first'),
  );
  if (!winner || !shown || !hasEpoch(winner, shown)) return conversation;
  if (winner === epochs) return { ...conversation, forks: [] };
  const fork = forkOf(epochs, winner, lists);
  const isByRemoval = fork !== undefined && judgeConversationFork(fork).isByRemoval === true;
  const switched = isByRemoval ? [...conversation.switched, ...switchedBy(fork)] : conversation.switched;
  return { ...switchTo(conversation, winner), forks: [], switched };
}

/** Fork that this account can end by continuing the branch that the server shows. */
export interface EndableFork {
  /** Names the fork in the user's answer. */
  readonly tip: Bytes;
  readonly chain: Chain;
  /** Header of the other branch that the change 8 names. */
  readonly named: Bytes;
  /** Members whom the other branch removed. */
  readonly removes: readonly Bytes[];
}

/** Returns the fork that an account can end; undefined if there is none, or only others can. */
export function findEndable(conversation: Conversation, account: Bytes, lists: ListResolver): EndableFork | undefined {
  const { shown, forks } = conversation;
  if (!shown || forks.length === 0) return undefined;
  const chains = chainsOf(conversation);
  const chain = chains.find((one) => hasEpoch(one.slice(-1), shown));
  if (!chain) return undefined;
  for (const other of chains) {
    const [fork, tip] = [forkOf(chain, other, lists), other.at(-1)];
    if (other === chain || !fork || !tip || !mayEndFork(account, fork)) continue;
    const verdict = judgeConversationFork(fork);
    // The rule about removed authors gives way to an owner, who repeats the removals.
    const named = verdict.verdict === 'fork' ? verdict.second : verdict.isByRemoval && fork.second[0]?.hash;
    if (!named || verdict.verdict === 'first') continue;
    const members = membersOf(chain.at(-1) ?? tip);
    const isMember = (one: Bytes): boolean => members.some((member) => equalBytes(member.account, one));
    return { tip: tip.hash, chain, named, removes: removedIn(fork.common, fork.second).filter(isMember) };
  }
  return undefined;
}
