import type { Contact } from '@nolo/api';
import { EllipsisVertical, Info, Send } from 'lucide-react';
import { usePresence } from '../chat/context/chatContext.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { classNames } from '../ui/classNames.ts';
import { DropdownMenu, MenuItems, type MenuEntry } from '../ui/DropdownMenu.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { CallButtons } from '../chat/calling/CallButtons.tsx';
import { useListedActions, type ContactAction } from './ContactDialogs.tsx';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

export interface ContactRowProps {
  contact: Contact;
  /** True if this contact's details are open beside the list. */
  current: boolean;
  /** True if there is room beside the list, so that a press opens the details instead of the conversation. */
  opensDetails: boolean;
  /** True while the conversation with this contact is opening. */
  starting: boolean;
  onStart: (userId: string) => void;
  onInvite: (invitationUrl: string) => void;
  onAct: (action: ContactAction) => void;
}

export function useContactPresence({ userId, presenceStatus, statusMessage, lastSeenAt }: Contact) {
  const seen = lastSeenAt !== undefined && { lastSeenAt };
  return usePresence(userId === null ? null : { id: userId, presenceStatus, statusMessage, ...seen });
}

/** Contact in the list. Unregistered ones can be invited. */
export function ContactRow({ contact, current, opensDetails, starting, onStart, onInvite, onAct }: ContactRowProps) {
  const { t } = useTexts(contactsTexts);
  const { userId, displayName, isBlocked, invitationUrl } = contact;
  const { presenceStatus, statusMessage } = useContactPresence(contact);
  const secondLine = statusMessage || (contact.phoneNumber === displayName ? '' : (contact.phoneNumber ?? ''));
  const actions = useListedActions(contact);
  const writable = userId !== null && !isBlocked;

  return (
    <div
      className={classNames(
        '@container relative mx-2 flex h-17 items-center gap-1 rounded-card pe-1',
        current ? 'bg-accent-subtle' : 'hover:bg-hover',
      )}
    >
      <button
        type="button"
        aria-current={current ? 'true' : undefined}
        aria-busy={starting || undefined}
        onClick={() => (writable && !opensDetails ? onStart(userId) : onAct({ kind: 'details', contact }))}
        className="flex h-full min-w-0 flex-1 items-center gap-3 rounded-card px-2.5 text-start outline-offset-[-2px]"
      >
        <Avatar
          name={displayName}
          imageUrl={contact.profileImageUrl}
          presence={(writable ? presenceStatus : null) ?? undefined}
          size={48}
          className={classNames(isBlocked && 'opacity-50 grayscale')}
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span dir="auto" className="truncate text-ui-start text-15 font-medium">
              {displayName}
            </span>
            {isBlocked && <Badge tone="danger">{t('contacts:blockedBadge')}</Badge>}
          </span>
          <span dir="auto" className="tabular block min-h-lh truncate text-ui-start text-13 text-muted">
            {userId === null
              ? t('contacts:notRegistered')
              : secondLine || (presenceStatus && t(`presence.${presenceStatus}`))}
          </span>
        </span>
        {starting && <Spinner />}
      </button>
      <span className="row-actions flex items-center">
        {/* If there is no room beside the name, it is in the details that a press on the row opens. */}
        {writable && (
          <CallButtons
            target={{ userId }}
            name={displayName}
            size="small"
            canTakeBack
            className="pointer-coarse:@max-[19.5rem]:hidden"
          />
        )}
        {invitationUrl !== null && (
          <Button
            kind="secondary"
            size="small"
            icon={<Send className="rtl:-scale-x-100" />}
            className="pointer-coarse:@max-[19.5rem]:hidden"
            onClick={() => onInvite(invitationUrl)}
          >
            {t('contacts:invite')}
          </Button>
        )}
        <DropdownMenu
          trigger={
            <IconButton plain label={t('contacts:moreFor', { name: displayName })} icon={<EllipsisVertical />} />
          }
        >
          <MenuItems
            entries={[
              { icon: <Info />, label: t('contacts:details'), onSelect: () => onAct({ kind: 'details', contact }) },
              ...actions.flatMap(({ kind, ...item }): MenuEntry[] => [
                { ...item, onSelect: () => onAct({ kind, contact }) },
                kind === 'share' && 'line',
              ]),
            ]}
          />
        </DropdownMenu>
      </span>
    </div>
  );
}
