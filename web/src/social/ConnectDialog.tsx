import type { SocialPlatformState } from '@nolo/api';
import { useState } from 'react';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import type { PlatformCredentials } from './useConnectPlatform.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

export interface ConnectDialogProps {
  platform: SocialPlatformState;
  onConnect: (credentials: PlatformCredentials) => Promise<boolean>;
  onClose: () => void;
}

/** Input needed to connect an account: the server, or name and app password. */
export function ConnectDialog({ platform, onConnect, onClose }: ConnectDialogProps) {
  const { t } = useTexts(socialTexts);
  const [server, setServer] = useState(platform.servers[0] ?? '');
  const [handle, setHandle] = useState('');
  const [appPassword, setAppPassword] = useState('');
  const byPassword = platform.connectBy === 'password';
  const submit = async () => {
    if (await onConnect(byPassword ? { handle: handle.trim(), appPassword } : { server })) onClose();
  };
  return (
    <FormDialog
      checkedByBrowser
      size="small"
      title={t('social:connect.connectTo', { platform: platform.name })}
      submitLabel={t('social:connect.connect')}
      onClose={onClose}
      onSubmit={submit}
    >
      {byPassword ? (
        <>
          <TextField
            required
            label={t('social:connect.handle')}
            hint={t('social:connect.handleHint')}
            autoComplete="off"
            dir="ltr"
            value={handle}
            onChange={(event) => setHandle(event.target.value)}
          />
          <TextField
            required
            type="password"
            label={t('social:connect.password')}
            hint={t('social:connect.passwordHint')}
            autoComplete="off"
            dir="ltr"
            value={appPassword}
            onChange={(event) => setAppPassword(event.target.value)}
          />
        </>
      ) : (
        <Select
          label={t('social:connect.server')}
          value={server}
          onValueChange={setServer}
          options={platform.servers.map((value) => ({ value, label: value.replace(/^https?:\/\//, '') }))}
        />
      )}
    </FormDialog>
  );
}
