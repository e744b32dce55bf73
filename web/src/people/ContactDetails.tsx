import type { Contact } from '@nolo/api';
import { Copy, MessageCircle, Phone, Send } from 'lucide-react';
import { useMediaQuery } from '../shell/useMediaQuery.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { classNames } from '../ui/classNames.ts';
import { PresenceDot } from '../ui/PresenceDot.tsx';
import { CallChoices } from '../chat/calling/CallChoices.tsx';
import { PresenceWords } from '../chat/words/PresenceWords.tsx';
import { useListedActions, type ContactAction } from './ContactDialogs.tsx';
import { useContactPresence } from './ContactRow.tsx';
import { useInviteAction } from './useInviteAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

export interface ContactDetailsProps {
  contact: Contact;
  starting: boolean;
  onStart: (userId: string) => void;
  onAct: (action: ContactAction) => void;
}

export function ContactDetails({ contact, starting, onStart, onAct }: ContactDetailsProps) {
  const { t } = useTexts(contactsTexts);
  const invite = useInviteAction();
  // Phones show the list and its title on a separate screen.
  const Name = useMediaQuery('(min-width: 768px)') ? 'h2' : 'h1';
  const { userId, displayName, phoneNumber, isBlocked, invitationUrl } = contact;
  const actions = useListedActions(contact);
  const presence = useContactPresence(contact);
  const { presenceStatus, statusMessage } = presence;
  return (
    <div className="flex flex-col items-center px-5 pt-8 pb-6">
      <Avatar name={displayName} imageUrl={contact.profileImageUrl} size={96} />
      <Name dir="auto" className="mt-4 max-w-full text-center text-20 font-semibold tracking-tight wrap-anywhere">
        {displayName}
      </Name>
      {isBlocked ? (
        <Badge tone="danger" className="mt-2">
          {t('contacts:blockedBadge')}
        </Badge>
      ) : (
        <p className="mt-1 flex min-h-lh items-center gap-2 text-14 text-muted">
          {userId === null ? (
            t('contacts:notRegistered')
          ) : (
            <>
              {presenceStatus !== null && <PresenceDot presence={presenceStatus} decorative />}
              <PresenceWords {...presence} />
            </>
          )}
        </p>
      )}
      {statusMessage !== '' && (
        <p dir="auto" className="mt-3 max-w-full text-center text-14 text-balance wrap-anywhere">
          {statusMessage}
        </p>
      )}

      <div className="mt-6 flex w-full flex-col gap-2">
        {userId !== null && !isBlocked && (
          <Button size="large" wide icon={<MessageCircle />} busy={starting} onClick={() => onStart(userId)}>
            {t('contacts:message')}
          </Button>
        )}
        {userId !== null && !isBlocked && <CallChoices target={{ userId }} />}
        {invitationUrl !== null && (
          <>
            <p className="mb-1 text-center text-13 text-balance text-muted">{t('contacts:invitationText')}</p>
            <Button
              size="large"
              wide
              icon={<Send className="rtl:-scale-x-100" />}
              onClick={() => void invite.share(invitationUrl)}
            >
              {t('contacts:invite')}
            </Button>
            <Button kind="secondary" wide icon={<Copy />} onClick={() => void invite.copy(invitationUrl)}>
              {t('contacts:copyLink')}
            </Button>
          </>
        )}
      </div>

      {phoneNumber !== null && (
        <dl className="mt-6 flex w-full items-center gap-3 border-t border-line pt-4">
          <dt className="text-muted">
            <Phone aria-hidden="true" className="size-[18px]" />
            <span className="sr-only">{t('contacts:phoneNumber')}</span>
          </dt>
          <dd dir="ltr" className="tabular text-14">
            {phoneNumber}
          </dd>
        </dl>
      )}

      <ul className="mt-4 flex w-full flex-col border-t border-line pt-2">
        {actions.map(({ kind, icon, label, danger = false }) => (
          <li key={kind}>
            <button
              type="button"
              onClick={() => onAct({ kind, contact })}
              className={classNames(
                'tap -mx-2 flex min-h-11 w-[calc(100%+1rem)] items-center gap-3 rounded-control px-2 text-start text-14 font-medium transition-colors duration-150 [&_svg]:size-[18px]',
                danger ? 'text-danger-text hover:bg-danger-subtle' : 'hover:bg-hover [&_svg]:text-muted',
              )}
            >
              {icon}
              {label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
