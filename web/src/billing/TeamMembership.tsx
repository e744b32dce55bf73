import type { Team } from '@nolo/api';
import { useState } from 'react';
import { useSelf } from '../session/self.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { useBillingWords } from './useBillingWords.ts';
import { useBillingDateFormatter } from './useBillingDateFormatter.ts';
import { useTeamSeatActions } from './useTeamSeatActions.ts';

/** User's own seat in another user's team, or the invitation to one. */
export function TeamMembership({ team }: { team: Team }) {
  const { t } = useBillingWords();
  const date = useBillingDateFormatter();
  const self = useSelf();
  const { accept, decline, leave } = useTeamSeatActions();
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const own = team.members.find(({ userId }) => userId === self.id);
  const owner = team.members.find(({ state }) => state === 'owner')?.user?.displayName;
  const during = async (action: Promise<unknown>) => {
    setBusy(true);
    await action;
    setBusy(false);
  };

  if (own?.state === 'invited') {
    return (
      <Card
        title={
          owner === undefined
            ? t('billing.teamPage.invitationSomebody')
            : t('billing.teamPage.invitation', { name: owner })
        }
        description={t('billing.teamPage.invitationText')}
      >
        <p className="mb-4 text-13 text-muted">{t('billing.teamPage.seen')}</p>
        <div className="flex flex-wrap gap-2">
          <Button busy={busy} onClick={() => void during(accept(team.ownerId))}>
            {t('billing.teamPage.accept')}
          </Button>
          <Button kind="secondary" disabled={busy} onClick={() => void during(decline(self.id))}>
            {t('billing.teamPage.decline')}
          </Button>
        </div>
      </Card>
    );
  }
  return (
    <Card
      title={owner ?? t('billing.teamPage.title')}
      {...(team.periodEndsAt !== null && {
        description: t('billing.comes.seatUntil', { date: date(team.periodEndsAt) }),
      })}
    >
      <p className="mb-4 text-13 text-muted">{t('billing.teamPage.seen')}</p>
      <Button kind="secondary" size="small" onClick={() => setLeaving(true)}>
        {t('billing.teamPage.leave')}
      </Button>
      <ConfirmDialog
        open={leaving}
        onCancel={() => setLeaving(false)}
        title={t('billing.teamPage.leaveTitle')}
        text={t('billing.teamPage.leaveText')}
        confirmLabel={t('billing.teamPage.leave')}
        onConfirm={async () => {
          if (await leave(self.id)) setLeaving(false);
        }}
      />
    </Card>
  );
}
