import type { HeldState } from '@nolo/client/chat/ports';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/Button.tsx';
import { useChat } from '../context/chatContext.ts';
import { sealedTexts } from './sealedTexts.ts';
import { useListPeople } from './useListPeople.ts';

interface HeldLineProps {
  conversationId: string;
  clientMessageId: string;
  heldBy: HeldState;
}

/** Says under the user's own message why it waits, and sends it if a tap is all that it waits for. */
export function HeldLine({ conversationId, clientMessageId, heldBy }: HeldLineProps) {
  const { t } = useTexts(sealedTexts);
  const { engine } = useChat();
  const names = useListPeople(heldBy.state === 'written_before' ? heldBy.userIds : []);
  const isWithoutKeys = heldBy.state === 'blocked' && heldBy.reason === 'keys';
  return (
    <p className="mt-1 flex flex-wrap items-center justify-end gap-x-2 gap-y-1 text-end text-13 text-muted">
      {heldBy.state === 'written_before'
        ? t('sealed:held.written_before', { names })
        : t(`sealed:held.${isWithoutKeys ? 'keys' : heldBy.state}`)}
      {heldBy.state === 'written_before' && (
        <>
          <Button kind="quiet" size="small" onClick={() => engine.retry(conversationId, clientMessageId)}>
            {t('sealed:held.send')}
          </Button>
          <Button
            kind="quiet"
            size="small"
            className="text-danger-text!"
            onClick={() => engine.discard(conversationId, clientMessageId)}
          >
            {t('common.delete')}
          </Button>
        </>
      )}
    </p>
  );
}
