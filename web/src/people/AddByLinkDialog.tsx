import { routes, type User } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/request.ts';
import { call } from '../api/httpClient.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useSelf } from '../session/self.ts';
import { useAddPerson } from './useContactAction.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

/** Shows the owner of an opened link, and offers to add them. */
export function AddByLinkDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useTexts(contactsTexts);
  const words = useExplainFailure();
  const { data: person = null, error: missed } = useQuery<User>({
    queryKey: ['contactLink', token],
    queryFn: ({ signal }) => call(routes.findByContactLink, { body: { token }, signal }),
    // A link may have been renewed since it was last opened here.
    gcTime: 0,
  });
  const [refused, setRefused] = useState<string | null>(null);
  const isGone = missed instanceof ApiError && missed.code === 'user_not_found';
  const missing = missed && (isGone ? t('contacts:linkGone') : words(missed, t('errors.generic')));
  const error = refused ?? missing;

  const adding = useAddPerson(person?.id ?? '', onClose, setRefused);
  const self = useSelf();
  const isOwn = person?.id === self.id;
  const known = isOwn || person?.isContact === true;

  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => open || onClose()}
      title={t('contacts:add')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t(known || (error !== null && person === null) ? 'common.close' : 'common.cancel')}
          </Button>
          {!known && person !== null && (
            <Button busy={adding.busy} onClick={() => void adding.run()}>
              {t('contacts:add')}
            </Button>
          )}
        </>
      }
    >
      <div className="flex min-h-40 flex-col items-center justify-center gap-3 text-center">
        {person !== null ? (
          <>
            <Avatar name={person.displayName} imageUrl={person.profileImageUrl} size={96} />
            <p dir="auto" className="max-w-full text-16 font-semibold wrap-anywhere">
              {person.displayName}
            </p>
            {known && <p className="text-13 text-muted">{t(isOwn ? 'contacts:linkOwn' : 'contacts:linkKnown')}</p>}
          </>
        ) : (
          error === null && (
            <>
              <Skeleton className="size-24 rounded-full" />
              <Skeleton className="h-4 w-32" />
            </>
          )
        )}
        {error !== null && (
          <p role="alert" className="text-14 text-danger-text">
            {error}
          </p>
        )}
      </div>
    </Dialog>
  );
}
