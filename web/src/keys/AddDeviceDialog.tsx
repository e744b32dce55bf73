import type { LinkRequest } from '@nolo/client/keys/types';
import { formatPlace } from '@nolo/rules';
import { MonitorSmartphone, ScanQrCode } from 'lucide-react';
import { useState } from 'react';
import { useLocale } from '../i18n/locale.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { keysTexts } from './keysTexts.ts';
import { LinkSteps } from './LinkSteps.tsx';
import { ScanCode } from './ScanCode.tsx';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction, useKeysState } from './useKeys.ts';

/** Adds a new device to the account: by its code, or by answering its request. */
export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(keysTexts);
  const { state } = useKeysState();
  const [scanning, setScanning] = useState(false);
  const cancel = useKeysAction((keys) => keys.cancelLink(), { failure: () => undefined });
  const scan = useKeysAction((keys, content: string) => keys.scanLinkCode(content), {
    failure: t('keys:link.failedTitle'),
  });
  const answer = useKeysAction((keys, linkId: string) => keys.answerLink(linkId), {
    failure: t('keys:link.failedTitle'),
  });
  const link = state?.link?.side === 'old' ? state.link : null;
  const close = () => {
    if (link !== null) void cancel.run();
    onClose();
  };
  const again = () => {
    setScanning(false);
    void cancel.run();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || close()}
      title={t('keys:add.title')}
      {...(link === null && !scanning && { description: t('keys:add.text') })}
    >
      {link !== null ? (
        <LinkSteps link={link} onClose={close} onAgain={again} />
      ) : scanning ? (
        <ScanCode
          text={t('keys:add.scanText')}
          pasteLabel={t('keys:add.paste')}
          pasteHint={t('keys:add.pasteHint')}
          busy={scan.busy}
          onCode={(content) => void scan.run(content)}
        />
      ) : (
        <div className="flex flex-col gap-5">
          <Button wide size="large" icon={<ScanQrCode />} onClick={() => setScanning(true)}>
            {t('keys:add.scan')}
          </Button>
          <section>
            <h3 className="text-14 font-semibold">{t('keys:add.requests')}</h3>
            {(state?.requests ?? []).length === 0 && (
              <p className="mt-1 text-13 text-muted">{t('keys:add.noRequests')}</p>
            )}
            <ul className="mt-1 flex flex-col">
              {(state?.requests ?? []).map((request) => (
                <Request
                  key={request.linkId}
                  request={request}
                  busy={answer.busy}
                  onAnswer={() => void answer.run(request.linkId)}
                />
              ))}
            </ul>
          </section>
        </div>
      )}
    </Dialog>
  );
}

function Request({ request, busy, onAnswer }: { request: LinkRequest; busy: boolean; onAnswer: () => void }) {
  const { t } = useTexts(keysTexts);
  const locale = useLocale();
  const device = useKeyDeviceName()(request.deviceName);
  return (
    <li className="flex min-h-14 items-center gap-3">
      <MonitorSmartphone aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block text-14 font-medium">{device}</span>
        {request.place && <span className="block text-13 text-muted">{formatPlace(request.place, locale)}</span>}
      </span>
      <Button
        kind="secondary"
        size="small"
        busy={busy}
        aria-label={t('keys:add.answerNamed', { device })}
        onClick={onAnswer}
      >
        {t('keys:add.answer')}
      </Button>
    </li>
  );
}
