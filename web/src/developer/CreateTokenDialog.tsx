import { accessTokenDays, limits, type TokenScope } from '@nolo/rules';
import type { FormEvent } from 'react';
import { useId, useRef, useState } from 'react';
import { ProofDeclined, withProof } from '../account/proof.ts';
import { ApiError } from '../api/httpClient.ts';
import { dateFormat, useLocale } from '../i18n/locale.ts';
import { failureWords } from '../i18n/serverWords.ts';
import { useNow } from '../shell/useNow.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { toast } from '../ui/toasts.ts';
import { createToken } from './accessTokens.ts';
import { ScopeChoice } from './ScopeChoice.tsx';
import { useDeveloperWords } from './useDeveloperWords.ts';

interface CreateTokenDialogProps {
  onMade: (secret: string) => void;
  onClose: () => void;
}

const dayMs = 86_400_000;
const usualDays = 30;

/** Asks what the token is called, what it may do and for how long; the person proves once more who they are. */
export function CreateTokenDialog({ onMade, onClose }: CreateTokenDialogProps) {
  const { t, i18n } = useDeveloperWords();
  const locale = useLocale();
  const now = useNow();
  const form = useId();
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [days, setDays] = useState<number>(usualDays);
  const [scopes, setScopes] = useState<readonly TokenScope[]>([]);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const isNamed = name.trim() !== '';

  const make = async () => {
    setTried(true);
    if (!isNamed) nameField.current?.focus();
    if (busy || !isNamed || scopes.length === 0) return;
    setBusy(true);
    try {
      onMade(await withProof(() => createToken({ name: name.trim(), scopes, expiresInDays: days })));
    } catch (error) {
      // What the plan does not reach is told over this dialog, which keeps what was filled in.
      const isTold = error instanceof ProofDeclined || (error instanceof ApiError && error.status === 402);
      if (!isTold) toast({ kind: 'error', title: t('developer.form.failed'), description: failureWords(i18n, error) });
    }
    setBusy(false);
  };

  const until = dateFormat(locale, { dateStyle: 'long' }).format(now + days * dayMs);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      initialFocus={() => nameField.current}
      title={t('developer.form.title')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={form} busy={busy}>
            {t('developer.form.submit')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void make();
        }}
      >
        <TextField
          ref={nameField}
          dir="auto"
          label={t('developer.form.name')}
          hint={t('developer.form.nameHint')}
          error={tried && !isNamed ? t('developer.form.nameMissing') : undefined}
          maxLength={limits.accessTokenNameLength}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Select
          label={t('developer.form.expiry')}
          hint={t('developer.form.until', { date: until })}
          value={String(days)}
          onValueChange={(value) => setDays(Number(value))}
          options={accessTokenDays.map((count) => ({
            value: String(count),
            label: count === 365 ? t('developer.form.year') : t('developer.form.days', { count }),
          }))}
        />
        <ScopeChoice
          chosen={scopes}
          error={tried && scopes.length === 0 ? t('developer.form.scopesMissing') : null}
          onChange={setScopes}
        />
      </form>
    </Dialog>
  );
}
