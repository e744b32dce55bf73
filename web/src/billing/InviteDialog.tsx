import type { Team } from '@nolo/api';
import type { FormEvent } from 'react';
import { useId, useMemo, useRef, useState } from 'react';
import { MemberPicker } from '../groups/MemberPicker.tsx';
import type { Person } from '../groups/call/person.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { useBillingWords } from './useBillingWords.ts';
import { useSeats } from './useSeats.ts';

interface InviteDialogProps {
  team: Team;
  /** Seats that nobody has. */
  free: number;
  /** Whose seat is given to another; without one, free seats are. */
  from?: { id: string; name: string };
  onClose: () => void;
}

/** Chooses who is invited to a seat: contacts at first, and whoever is found by name, number or mail address. */
export function InviteDialog({ team, free, from, onClose }: InviteDialogProps) {
  const { t } = useBillingWords();
  const { invite, move } = useSeats();
  const form = useId();
  const search = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const excluded = useMemo(() => new Set(team.members.map(({ userId }) => userId)), [team]);

  const send = async () => {
    if (busy) return;
    const [first] = chosen;
    if (first === undefined || chosen.length > free) {
      setProblem(
        first === undefined ? t('billing.teamPage.inviteNobody') : t('billing.teamPage.inviteTooMany', { count: free }),
      );
      search.current?.focus();
      return;
    }
    setBusy(true);
    const done = await (from ? move(from.id, first.id) : invite(chosen.map(({ id }) => id)));
    setBusy(false);
    if (done) onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      initialFocus={() => search.current}
      title={t(from ? 'billing.teamPage.moveTitle' : 'billing.teamPage.inviteTitle')}
      description={from ? t('billing.teamPage.moveText', { name: from.name }) : t('billing.teamPage.inviteText')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={form} busy={busy}>
            {t('billing.teamPage.invite')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void send();
        }}
      >
        <MemberPicker
          ref={search}
          label={t('billing.teamPage.invitePeople')}
          chosen={chosen}
          excluded={excluded}
          error={problem}
          onChange={(people) => {
            // A seat that is moved has one place.
            setChosen(from ? people.slice(-1) : people);
            setProblem(null);
          }}
        />
      </form>
    </Dialog>
  );
}
