import type { AdminAccount } from '@nolo/api';
import { limits } from '@nolo/rules';
import { UserSearch } from 'lucide-react';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { TextField } from '../ui/TextField.tsx';
import { AccountCard } from './AccountCard.tsx';
import { useOperatorActions } from './adminQueries.ts';
import { useOperatorWords } from './useOperatorWords.ts';

/** Accounts, found by exact values. Searches only on request, because each one is recorded. */
export function UsersPage() {
  const { t } = useOperatorWords();
  const { find } = useOperatorActions();
  const [params] = useSearchParams();
  const [typed, setTyped] = useState(params.get('account') ?? '');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<AdminAccount[] | null>(null);

  const search = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = typed.trim();
    setMissing(wanted === '');
    if (wanted === '' || busy) return;
    setBusy(true);
    const accounts = await find(wanted);
    if (accounts) setFound(accounts);
    setBusy(false);
  };
  const replace = (id: string, now: AdminAccount | null) => {
    setFound((before) => (before ?? []).flatMap((one) => (one.id !== id ? one : (now ?? []))));
  };

  return (
    <>
      <form className="flex flex-wrap items-start gap-3" noValidate onSubmit={(event) => void search(event)}>
        <TextField
          className="min-w-60 flex-1"
          label={t('admin.find')}
          hint={t('admin.findHint')}
          error={missing ? t('admin.findMissing') : null}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          maxLength={limits.searchQueryLength}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" busy={busy} className="mt-6">
          {t('admin.findButton')}
        </Button>
      </form>
      <div role="status" className="flex flex-col gap-4">
        {found?.map((account) => (
          <AccountCard key={account.id} account={account} onChange={(now) => replace(account.id, now)} />
        ))}
        {found?.length === 0 && (
          <EmptyState icon={<UserSearch />} title={t('admin.nobody')} description={t('admin.nobodyText')} />
        )}
      </div>
    </>
  );
}
