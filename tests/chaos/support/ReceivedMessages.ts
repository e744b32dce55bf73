import type { Message, ServerFrame } from '@nolo/api';
import type { ChaosHistory } from '../../support/ChaosHistory.ts';

type Reaction = Extract<ServerFrame, { type: 'message_reaction' }>['data'];

/** Stores the latest state of messages sent to one client, because a reaction frame contains the reaction alone. */
export class ReceivedMessages {
  readonly #byId = new Map<string, Message>();
  readonly #name: string;
  readonly #history: ChaosHistory;

  constructor(name: string, history: ChaosHistory) {
    this.#name = name;
    this.#history = history;
  }

  sees(message: Message): void {
    this.#keep(message);
    this.#history.sees(this.#name, message);
  }

  seesLive(message: Message): void {
    this.#keep(message);
    this.#history.seesLive(this.#name, message);
  }

  /** Applies a reaction only if no earlier change is missing. Otherwise the fetched changes include it. */
  seesReaction({ conversationId, messageId, changeSeq, userId, emoji }: Reaction, completeUpTo: number): void {
    const known = this.#byId.get(messageId);
    if (known?.conversationId !== conversationId || known.changeSeq >= changeSeq) return;
    if (changeSeq !== completeUpTo + 1) return;
    const others = known.reactions.filter((one) => one.userId !== userId);
    const reactions = emoji === null ? others : [...others, { userId, emoji }];
    this.seesLive({ ...known, changeSeq, reactions });
  }

  forget(): void {
    this.#byId.clear();
  }

  #keep(message: Message): void {
    if (message.changeSeq > (this.#byId.get(message.id)?.changeSeq ?? 0)) this.#byId.set(message.id, message);
  }
}
