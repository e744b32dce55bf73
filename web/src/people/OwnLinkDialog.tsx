import { routes } from '@nolo/api';
import { RefreshCw, ScanQrCode } from 'lucide-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/httpClient.ts';
import { browserSupport } from '../device/browserSupport.ts';
import { ShareDialog } from '../share/ShareDialog.tsx';
import { toast } from '../ui/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { useAction } from '../ui/useAction.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { QrCode } from '../ui/QrCode.tsx';
import { CodeScanner } from '../ui/CodeScanner.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { readContactTokenFromCode } from './contactLink.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

const queryKey = ['contactLink'];

export interface OwnLinkDialogProps {
  onClose: () => void;
  /** Called with the token of another person's scanned link. */
  onFound: (token: string) => void;
}

/** Link by which others add the user without a number. It can be scanned, copied, or sent. */
export function OwnLinkDialog({ onClose, onFound }: OwnLinkDialogProps) {
  const { t } = useTexts(contactsTexts);
  const words = useExplainFailure();
  const queryClient = useQueryClient();
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(routes.getContactLink, { body: {}, signal }),
    staleTime: 0,
  });
  const url = data?.url ?? null;
  const [renewing, setRenewing] = useState(false);
  const [scanning, setScanning] = useState(false);

  const renewal = useAction(() => call(routes.getContactLink, { body: { renew: true } }), {
    failure: (error) => ({ title: words(error, t('errors.generic')) }),
    onDone: (renewed) => {
      queryClient.setQueryData(queryKey, renewed);
      toast({ kind: 'success', title: t('contacts:linkRenewed') });
      setRenewing(false);
    },
  });

  return (
    <ShareDialog
      title={t('contacts:ownLink')}
      description={t('contacts:ownLinkText')}
      shared={
        url === null
          ? null
          : {
              name: '',
              text: t('contacts:linkInvitation'),
              link: {
                url,
                label: t('contacts:link'),
                copyLabel: t('contacts:copyLink'),
                copied: t('contacts:linkCopied'),
              },
            }
      }
      more={
        <>
          {browserSupport.capture() && (
            <Button kind="secondary" icon={<ScanQrCode />} onClick={() => setScanning(true)}>
              {t('contacts:scan')}
            </Button>
          )}
          <Button kind="quiet" icon={<RefreshCw />} disabled={url === null} onClick={() => setRenewing(true)}>
            {t('contacts:linkRenew')}
          </Button>
        </>
      }
      done={{ label: t('contacts:share.done'), onSelect: onClose }}
      onClose={onClose}
    >
      {isError && url === null ? (
        <ErrorState
          className="py-4!"
          title={t('contacts:linkFailed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className="mb-4 flex justify-center">
          {url === null ? (
            <Skeleton className="size-56 rounded-card" />
          ) : (
            <QrCode value={url} label={t('contacts:linkPicture')} />
          )}
        </div>
      )}
      {scanning && <ScanDialog onFound={onFound} onClose={() => setScanning(false)} />}
      <ConfirmDialog
        open={renewing}
        onCancel={() => setRenewing(false)}
        title={t('contacts:linkRenewTitle')}
        text={t('contacts:linkRenewText')}
        confirmLabel={t('contacts:linkRenew')}
        onConfirm={renewal.run}
      />
    </ShareDialog>
  );
}

/** Scans the code of a person's link with the camera. */
function ScanDialog({ onFound, onClose }: { onFound: (token: string) => void; onClose: () => void }) {
  const { t } = useTexts(contactsTexts);
  const [isOther, setOther] = useState(false);
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => open || onClose()}
      title={t('contacts:scanTitle')}
      description={t('contacts:scanText')}
    >
      <CodeScanner
        starting={t('contacts:scanStarting')}
        failed={t('contacts:scanFailed')}
        onCode={(code) => {
          const token = readContactTokenFromCode(code, location.origin);
          setOther(token === null);
          if (token !== null) onFound(token);
          return token !== null;
        }}
      />
      <p role="status" className="mt-3 min-h-5 text-center text-13 text-muted">
        {isOther ? t('contacts:scanOther') : ''}
      </p>
    </Dialog>
  );
}
