import type { Message, User } from '@nolo/api';
import { Ban, Flag, UserCheck, UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useChatState, usePresence } from '../context/chatContext.ts';
import { toast } from '../../ui/toasts.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { lazyOptional } from '../../ui/lazyComponents.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { SharedMedia } from '../media/SharedMedia.tsx';
import { ChatExportButton } from '../chatExport/ChatExportButton.tsx';
import { ConversationSettings } from './ConversationSettings.tsx';
import { useAddToContacts } from './useAddToContacts.ts';
import { useFetchedUser } from './useFetchedUser.ts';
import { useBlocking } from './useBlocking.ts';
import { PresenceWords } from '../words/PresenceWords.tsx';
import { isLookAlikeName } from '../words/text/lookAlikes.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

const PersonKeysSection = lazyOptional(
  async () => (await import('../../keys/PersonKeysSection.tsx')).PersonKeysSection,
);
const EncryptionSection = lazyOptional(async () => (await import('../sealed/EncryptionSection.tsx')).EncryptionSection);
const VerifiedMark = lazyOptional(async () => (await import('../../keys/VerifiedMark.tsx')).VerifiedMark);
const ReportDialog = lazyDialog(async () => (await import('./ReportDialog.tsx')).ReportDialog);
const none: readonly Message[] = [];

/** Details of the other person: first the card and shared media, then settings, and last harmful actions. */
export function ConversationDetails({ conversationId }: { conversationId: string }) {
  const conversation = useChatState((state) => state.conversations[conversationId]);
  const otherUser = conversation?.otherUser ?? null;
  return (
    <div className="flex flex-col gap-6 px-5 py-6">
      {otherUser && <Person known={otherUser} />}
      {otherUser && (
        <Suspense>
          <PersonKeysSection userId={otherUser.id} name={otherUser.displayName} />
        </Suspense>
      )}
      {conversation && otherUser && (
        <Suspense>
          <EncryptionSection conversation={conversation} />
        </Suspense>
      )}
      <SharedMedia conversationId={conversationId} />
      {conversation && <ConversationSettings conversation={conversation} />}
      {conversation && <ChatExportButton conversation={conversation} />}
      {otherUser && <Harm conversationId={conversationId} person={otherUser} />}
    </div>
  );
}

/** Actions to block and report: each offers the other. */
function Harm({ conversationId, person }: { conversationId: string; person: User }) {
  const { t } = useTexts(conversationTexts);
  const [reporting, setReporting] = useState(false);
  const messages = useChatState((state) => state.timelines[conversationId]?.messages ?? none);
  const { id, displayName: name, isBlocked: blocked } = person;
  const blocking = useBlocking(conversationId, id);
  const report = () => setReporting(true);
  return (
    <div className="flex flex-col gap-1">
      <BlockButton conversationId={conversationId} userId={id} name={name} blocked={blocked} onReport={report} />
      <Button wide kind="quiet" className="text-danger-text!" icon={<Flag />} onClick={report}>
        {t('conversation:report')}
      </Button>
      {reporting && (
        <ReportDialog
          kind="person"
          targetId={id}
          reportedId={id}
          name={name}
          messages={messages.filter(({ senderId }) => senderId === id)}
          {...(!blocked && { onBlock: () => blocking.run(true) })}
          onClose={() => setReporting(false)}
        />
      )}
    </div>
  );
}

function Person({ known }: { known: User }) {
  const { t } = useTexts(conversationTexts);
  const person = useFetchedUser(known);
  const presence = usePresence(person);
  const { presenceStatus, statusMessage } = presence;
  const name = person.displayName;
  return (
    <>
      <div className="flex flex-col items-center text-center">
        <Avatar name={name} imageUrl={person.profileImageUrl} presence={presenceStatus ?? undefined} size={96} />
        <h3 dir="auto" className="mt-3 max-w-full text-20 font-semibold wrap-anywhere">
          {name}{' '}
          <Suspense>
            <VerifiedMark userId={person.id} />
          </Suspense>
        </h3>
        {isLookAlikeName(name) && (
          <p className="mt-1 text-13 text-balance text-warning-text">{t('conversation:nameLooksLikeAnother')}</p>
        )}
        <p className="min-h-lh text-14 text-muted">
          <PresenceWords {...presence} />
        </p>
        {statusMessage !== '' && (
          <p dir="auto" className="mt-2 max-w-full text-14 text-balance wrap-anywhere">
            {statusMessage}
          </p>
        )}
      </div>
      <ContactButton person={person} />
    </>
  );
}

function ContactButton({ person }: { person: User }) {
  const { t } = useTexts(conversationTexts);
  const adding = useAddToContacts(person.id);
  if (person.isContact) {
    return (
      <p className="flex h-10 items-center justify-center gap-2 text-14 text-muted">
        <UserCheck aria-hidden="true" className="size-[18px] text-accent-text" />
        {t('conversation:inContacts')}
      </p>
    );
  }
  return (
    <Button wide icon={<UserPlus />} busy={adding.busy} onClick={() => void adding.add()}>
      {t('conversation:addToContacts')}
    </Button>
  );
}

interface BlockButtonProps {
  conversationId: string;
  userId: string;
  name: string;
  blocked: boolean;
  /** Offers to report a user after blocking them. */
  onReport: () => void;
}

function BlockButton({ conversationId, userId, name, blocked, onReport }: BlockButtonProps) {
  const { t } = useTexts(conversationTexts);
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const blocking = useBlocking(conversationId, userId);
  if (blocked) {
    return (
      <Button wide kind="secondary" busy={blocking.busy} onClick={() => void blocking.run(false)}>
        {t('conversation:unblock')}
      </Button>
    );
  }
  return (
    <>
      <Button wide kind="quiet" className="text-danger-text!" icon={<Ban />} onClick={() => setIsConfirmOpen(true)}>
        {t('conversation:block')}
      </Button>
      <ConfirmDialog
        open={isConfirmOpen}
        onCancel={() => setIsConfirmOpen(false)}
        title={t('conversation:blockTitle', { name })}
        text={t('conversation:blockText')}
        confirmLabel={t('conversation:block')}
        onConfirm={async () => {
          const done = await blocking.run(true);
          setIsConfirmOpen(false);
          if (!done) return;
          toast({
            kind: 'success',
            title: t('conversation:blockedByYou', { name }),
            action: { label: t('conversation:report'), onSelect: onReport },
          });
        }}
      />
    </>
  );
}
