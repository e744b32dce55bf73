import type { Conversation, User } from '@nolo/api';
import { UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import { useChatState } from '../context/chatContext.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { useAddToContacts } from './useAddToContacts.ts';
import { useFetchedUser } from './useFetchedUser.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/** Conversations where the bar was dismissed. Lasts until the app reloads. */
const putAway = new Set<string>();

/** Offers to add a stranger to the contacts after their messages were accepted. */
export function StrangerBar({ conversation }: { conversation: Conversation }) {
  const { id, type, otherUser, requestedAt, lastMessage } = conversation;
  const accepted = type === 'direct' && requestedAt === null && lastMessage !== null;
  if (!accepted || !otherUser || otherUser.isContact || otherUser.isBlocked) return null;
  return <Offer key={id} conversationId={id} known={otherUser} />;
}

function Offer({ conversationId, known }: { conversationId: string; known: User }) {
  const { t } = useTexts(conversationTexts);
  const person = useFetchedUser(known);
  const adding = useAddToContacts(known.id);
  const connected = useChatState((state) => state.connection === 'open');
  const [away, setAway] = useState(() => putAway.has(conversationId));
  if (away || person.isContact) return null;
  return (
    <Banner
      icon={<UserPlus aria-hidden="true" />}
      action={
        <Button
          size="small"
          kind="secondary"
          busy={adding.busy}
          disabled={!connected}
          onClick={() => void adding.add()}
        >
          {t('conversation:addToContacts')}
        </Button>
      }
      dismiss={
        <PlainIconButton
          size="small"
          label={t('common.close')}
          icon={<X />}
          onClick={() => {
            putAway.add(conversationId);
            setAway(true);
          }}
        />
      }
    >
      <span dir="auto">{t('conversation:notInContacts', { name: person.displayName })}</span>
    </Banner>
  );
}
