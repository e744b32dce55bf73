import { equalBytes, findDevice, recoverySigner, toPin, type Bytes, type PinRecord, type VaultState } from '@nolo/e2ee';
import { listsOf, type Chain } from './chains.ts';
import { nextPinCounter, type Decisions } from './people.ts';
import type { Work } from './work.ts';

/** Decisions about people that are asked again, because their device was removed (docs/encryption.md, section 6). */

/**
 * Returns true if a device was removed by a list that this device did not sign itself. A list by which the recovery
 * words brought this device in was signed here.
 */
function isDistrusted({ device, own }: Work, author: Bytes): boolean {
  if (!device || !own || findDevice(own.chain.newest.list, author)) return false;
  const lists = listsOf(own.chain);
  const last = lists.findLastIndex((list) => findDevice(list, author) !== undefined);
  const [before, removal] = [lists[last], lists[last + 1]];
  if (!before || !removal) return true;
  const isRecovered = equalBytes(removal.signer, recoverySigner) && !findDevice(before, device.id);
  const isOwn = equalBytes(removal.signer, device.id) || (isRecovered && findDevice(removal, device.id) !== undefined);
  return !isOwn;
}

export interface AskedAgain {
  readonly mark: boolean;
  readonly acceptance: boolean;
}

/**
 * Returns which decisions about a person the user has to make again. Numbers that a device of the account compared
 * settle the acceptance too.
 */
export function askedAgainOf(work: Work, { chain, acceptance, verified }: AskedDecisions): AskedAgain {
  const isMarked =
    verified?.record.isVerified === true && chain !== null && equalBytes(verified.record.identity, chain.identity);
  const mark = isMarked && isDistrusted(work, verified.author);
  const isSettled = isMarked && !mark;
  return { mark, acceptance: !isSettled && acceptance !== undefined && isDistrusted(work, acceptance.author) };
}

interface AskedDecisions extends Pick<Decisions, 'acceptance' | 'verified'> {
  readonly chain: Chain | null;
}

/** Pin by which this device accepts an identity that another one accepted. It replaces the same identity. */
export function toAcceptance(state: VaultState, chain: Chain, { acceptance }: Decisions): PinRecord[] {
  if (!acceptance || !equalBytes(acceptance.record.identity, chain.identity)) return [];
  const counter = nextPinCounter(state, chain.account);
  return [{ kind: 'pin', ...toPin(chain.newest), replaced: acceptance.record.replaced, counter }];
}
