import type { Message } from '@nolo/api';
import { fromUuid } from '@nolo/e2ee';
import { openRow } from '../../chat/rowForms.ts';
import { unopenedRow, type StoredMessage } from '../../chat/rowOpening.ts';
import { createKeyStore } from '../keyStore.ts';
import type { KeyStorage } from '../ports.ts';
import { dropExpired, loadConversation } from './conversation.ts';
import { openRows } from './openRows.ts';
import { RowIndex } from './rowIndex.ts';

/**
 * Opens a row with the secrets and headers that the device keeps, for a notification: without a request, and without
 * writing anything. A row that names an epoch which the device has not seen yet stays closed.
 *
 * @param now milliseconds since 1970 by the device's own clock
 */
export async function openKeptRow(
  storage: Pick<KeyStorage, 'read' | 'list'>,
  message: StoredMessage,
  now: number,
): Promise<StoredMessage> {
  const row: Message = unopenedRow(message) ?? message;
  const write = () => Promise.reject(new Error('This storage is only read.'));
  const reading = {
    read: (key: string) => storage.read(key),
    list: (prefix: string) => storage.list(prefix),
    write,
    close: () => undefined,
  };
  const store = createKeyStore({ storage: reading, keyForm: 'engine' });
  const kept = await loadConversation({ store }, fromUuid(row.conversationId));
  const conversation = dropExpired(kept, now);
  const { rows } = await openRows({ conversation, index: new RowIndex(), opened: new Map(), now }, [row]);
  return openRow(row, rows[0] ?? { messageId: row.id, state: 'waiting' });
}
