import { routes } from '@nolo/api';
import { RefreshCw, ScanQrCode, Share2 } from 'lucide-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/httpClient.ts';
import { can } from '../device/abilities.ts';
import { toast } from '../ui/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useFailureWords } from '../i18n/useFailureWords.ts';
import { useShare } from '../shell/useShare.ts';
import { useContactsWords } from './useContactsWords.ts';
import { QrCode } from '../ui/QrCode.tsx';
import { ScanDialog } from './ScanDialog.tsx';

const queryKey = ['contactLink'];

export interface OwnLinkDialogProps {
  onClose: () => void;
  /** Somebody else's link was scanned; what stands in it. */
  onFound: (token: string) => void;
}

/** The link by which others add oneself without a number: to be scanned, copied or sent. */
export function OwnLinkDialog({ onClose, onFound }: OwnLinkDialogProps) {
  const { t } = useContactsWords();
  const words = useFailureWords();
  const { copy, send } = useShare();
  const queryClient = useQueryClient();
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(routes.getContactLink, { body: {}, signal }),
    staleTime: 0,
  });
  const url = data?.url ?? null;
  const [renewing, setRenewing] = useState(false);
  const [scanning, setScanning] = useState(false);

  const renew = async () => {
    try {
      queryClient.setQueryData(queryKey, await call(routes.getContactLink, { body: { renew: true } }));
      toast({ kind: 'success', title: t('contacts.linkRenewed') });
    } catch (error) {
      toast({ kind: 'error', title: words(error, t('errors.generic')) });
    }
    setRenewing(false);
  };

  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('contacts.ownLink')}
      description={t('contacts.ownLinkText')}
    >
      {isError && url === null ? (
        <ErrorState
          className="py-4!"
          title={t('contacts.linkFailed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className="flex flex-col gap-4">
          <div className="flex justify-center">
            {url === null ? (
              <Skeleton className="size-56 rounded-card" />
            ) : (
              <QrCode value={url} label={t('contacts.linkPicture')} />
            )}
          </div>
          <CopyField
            label={t('contacts.link')}
            value={url ?? ''}
            copyLabel={t('contacts.copyLink')}
            onCopy={() => void (url !== null && copy(url, t('contacts.linkCopied')))}
          />
          <div className="flex flex-wrap gap-2">
            <Button
              kind="secondary"
              icon={<Share2 />}
              disabled={url === null}
              onClick={() =>
                void send({ text: t('contacts.invitation', { url: url ?? '' }) }, t('contacts.linkCopied'))
              }
            >
              {t('contacts.linkShare')}
            </Button>
            {can.readCodes() && (
              <Button kind="secondary" icon={<ScanQrCode />} onClick={() => setScanning(true)}>
                {t('contacts.scan')}
              </Button>
            )}
            <Button kind="quiet" icon={<RefreshCw />} disabled={url === null} onClick={() => setRenewing(true)}>
              {t('contacts.linkRenew')}
            </Button>
          </div>
        </div>
      )}
      {scanning && <ScanDialog onFound={onFound} onClose={() => setScanning(false)} />}
      <ConfirmDialog
        open={renewing}
        onCancel={() => setRenewing(false)}
        title={t('contacts.linkRenewTitle')}
        text={t('contacts.linkRenewText')}
        confirmLabel={t('contacts.linkRenew')}
        onConfirm={renew}
      />
    </Dialog>
  );
}
