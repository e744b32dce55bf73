import type { Call, Contact } from '@nolo/api';
import { useRef, useState } from 'react';
import { ApiError } from '../api/httpClient.ts';
import { useContacts } from '../api/queries.ts';
import { useDebouncedValue } from '../shell/useDebouncedValue.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import type { CallEngine } from './model/callEngine.ts';
import { toast } from '../ui/toasts.ts';
import { isPlanLimit, useAction } from '../ui/useAction.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';
import { contactsTexts } from '../people/contactsTexts.ts';

/** Debounce in milliseconds, as in the search of contacts. */
const restMs = 250;

/** Rings another user into the call, which goes through the server from then on. */
export function AddPersonDialog({ call, engine, onClose }: { call: Call; engine: CallEngine; onClose: () => void }) {
  const { t, i18n } = useTexts(callsTexts, contactsTexts);
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const contacts = useContacts(useDebouncedValue(search.trim(), restMs));
  const here = new Set(
    call.participants.filter(({ state }) => state === 'joined' || state === 'calling').map(({ userId }) => userId),
  );
  const found = (contacts.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ userId, isBlocked }) => userId !== null && !isBlocked && !here.has(userId));

  const inviting = useAction(({ userId }: Contact) => (userId === null ? Promise.resolve() : engine.invite(userId)), {
    failure: (error) => {
      if (isPlanLimit(error)) return undefined;
      const description = error instanceof ApiError ? explainFailure(i18n, error) : t('errors.network');
      return { title: t('calls:addFailed'), ...(description && { description }) };
    },
    onDone: (_, { displayName }) => {
      toast({ title: t('calls:addRinging', { name: displayName }) });
      onClose();
    },
  });
  const isRinging = (userId: string | null) =>
    call.participants.some((one) => one.userId === userId && one.state === 'ringing');

  return (
    <Dialog
      open
      onOpenChange={onClose}
      initialFocus={() => field.current}
      title={t('calls:addTitle')}
      description={t('calls:addText')}
    >
      <SearchField
        ref={field}
        label={t('calls:addSearch')}
        value={search}
        onValueChange={setSearch}
        autoComplete="off"
      />
      <div className="mt-3 min-h-60">
        {contacts.isPending ? (
          <SkeletonRows rows={3} label={t('contacts:loading')} />
        ) : found.length === 0 ? (
          <p className="py-8 text-center text-14 text-muted">{t('calls:addNone')}</p>
        ) : (
          <ul className="flex flex-col">
            {found.map((contact) => (
              <li key={contact.id} className="flex h-15 items-center gap-3">
                <Avatar name={contact.displayName} imageUrl={contact.profileImageUrl} />
                <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-15 font-medium">
                  {contact.displayName}
                </span>
                <Button
                  kind="secondary"
                  size="small"
                  busy={inviting.running === contact}
                  disabled={isRinging(contact.userId)}
                  onClick={() => void (inviting.busy || inviting.run(contact))}
                >
                  {t(isRinging(contact.userId) ? 'calls:isRinging' : 'calls:addRing')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
