import type { Message } from '@nolo/api';
import { useMemo, useState } from 'react';
import { entryKeyOf } from '@nolo/client/chat/entries';
import { isSealed } from '@nolo/client/chat/sealedRows';

/** Maximum messages per selection, so that the user can oversee the action. */
const maxSelected = 100;

const none: readonly Message[] = [];

export type MessageSelection = ReturnType<typeof useMessageSelection>;

export function useMessageSelection(shown: readonly Message[]) {
  const [keys, setKeys] = useState<ReadonlySet<string> | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const selectable = useMemo(
    // Thousands may be shown, so they are filtered only during a selection.
    () =>
      keys
        ? shown.filter(
            (message) => message.deletedAt === null && message.messageType !== 'system' && !isSealed(message),
          )
        : none,
    [keys, shown],
  );
  const messages = useMemo(
    () => (keys ? selectable.filter((message) => keys.has(entryKeyOf(message))) : none),
    [keys, selectable],
  );
  return {
    /** Null while no selection is in progress. */
    keys,
    messages,
    begin(message: Message) {
      setKeys(new Set([entryKeyOf(message)]));
      setLast(entryKeyOf(message));
    },
    /** Toggles a message. With `through`, selects everything from the last one to it. */
    toggle(key: string, through: boolean) {
      if (!keys) return;
      const all = selectable.map(entryKeyOf);
      const [from, to] = [last === null ? -1 : all.indexOf(last), all.indexOf(key)];
      if (to < 0) return;
      const next = new Set(keys);
      if (through && from >= 0) all.slice(Math.min(from, to), Math.max(from, to) + 1).forEach((one) => next.add(one));
      else if (!next.delete(key)) next.add(key);
      setLast(key);
      // Deselecting the last message ends the selection, as selecting the first began it.
      setKeys(next.size === 0 ? null : new Set([...next].slice(0, maxSelected)));
    },
    end: () => setKeys(null),
  };
}
