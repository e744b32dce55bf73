import type { SocialPlatformState } from '@nolo/api';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import type { Credentials } from './useConnecting.ts';
import { useSocialWords } from './useSocialWords.ts';

export interface ConnectDialogProps {
  platform: SocialPlatformState;
  onConnect: (credentials: Credentials) => Promise<boolean>;
  onClose: () => void;
}

/** What a platform has to be told before an account can be connected: the server, or name and app password. */
export function ConnectDialog({ platform, onConnect, onClose }: ConnectDialogProps) {
  const { t: common } = useTranslation();
  const { t } = useSocialWords();
  const formId = useId();
  const [server, setServer] = useState(platform.servers[0] ?? '');
  const [handle, setHandle] = useState('');
  const [appPassword, setAppPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const byPassword = platform.connectBy === 'password';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const done = await onConnect(byPassword ? { handle: handle.trim(), appPassword } : { server });
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Dialog
      open
      size="small"
      onOpenChange={onClose}
      title={t('social.connect.connectTo', { platform: platform.name })}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {common('common.cancel')}
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {t('social.connect.connect')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {byPassword ? (
          <>
            <TextField
              required
              label={t('social.connect.handle')}
              hint={t('social.connect.handleHint')}
              autoComplete="off"
              dir="ltr"
              value={handle}
              onChange={(event) => setHandle(event.target.value)}
            />
            <TextField
              required
              type="password"
              label={t('social.connect.password')}
              hint={t('social.connect.passwordHint')}
              autoComplete="off"
              dir="ltr"
              value={appPassword}
              onChange={(event) => setAppPassword(event.target.value)}
            />
          </>
        ) : (
          <Select
            label={t('social.connect.server')}
            value={server}
            onValueChange={setServer}
            options={platform.servers.map((value) => ({ value, label: value.replace(/^https?:\/\//, '') }))}
          />
        )}
      </form>
    </Dialog>
  );
}
