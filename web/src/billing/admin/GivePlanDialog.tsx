import { routes } from '@nolo/api';
import { planIds, type PlanId } from '@nolo/rules';
import { useState } from 'react';
import { MemberPicker } from '../../groups/MemberPicker.tsx';
import type { ListedPerson } from '../../chat/groupCalls/person.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useBillingAdminActionOptions } from './adminQueries.ts';
import { useTexts } from '../../i18n/texts.ts';
import { billingTexts } from '../billingTexts.ts';
import { billingAdminTexts } from './billingAdminTexts.ts';

const nobody: ReadonlySet<string> = new Set();

interface GivePlanDialogProps {
  /** Account of the plan. Absent: chosen in the dialog. */
  userId?: string;
  onClose: () => void;
}

/** Grants a plan manually for some days, or ends a granted one, with a reason for the audit. */
export function GivePlanDialog({ userId, onClose }: GivePlanDialogProps) {
  const { t } = useTexts(billingTexts, billingAdminTexts);
  const give = useAction(routes.grantPlan, useBillingAdminActionOptions(t('billingAdmin:giveDone')));
  const [id] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<readonly ListedPerson[]>([]);
  const [plan, setPlan] = useState<PlanId>('plus');
  const [days, setDays] = useState('30');
  const [reason, setReason] = useState('');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const account = userId ?? chosen[0]?.id;
  const daysWrong = !/^\d+$/.test(days) || Number(days) < 1 || Number(days) > 366;
  const reasonMissing = reason.trim() === '';

  const send = async () => {
    setHasSubmitted(true);
    if (account === undefined || daysWrong || reasonMissing) return;
    const body = { id, plan, days: Number(days), reason: reason.trim() };
    if (await give.run({ params: { id: account }, body })) onClose();
  };

  return (
    <FormDialog
      title={t('billingAdmin:giveTitle')}
      {...(userId !== undefined && { description: t('billingAdmin:giveNamed', { id: userId }) })}
      waits
      submitLabel={t('billingAdmin:give')}
      onClose={onClose}
      onSubmit={send}
    >
      {userId === undefined && (
        <MemberPicker
          label={t('billingAdmin:givePerson')}
          chosen={chosen}
          excluded={nobody}
          error={hasSubmitted && account === undefined ? t('billingAdmin:giveNobody') : null}
          onChange={(people) => setChosen(people.slice(-1))}
        />
      )}
      <Select<PlanId>
        label={t('billingAdmin:givePlan')}
        value={plan}
        onValueChange={setPlan}
        options={planIds.toReversed().map((value) => ({
          value,
          label: value === 'free' ? t('billingAdmin:giveFree') : t(`billing:plans.${value}`),
        }))}
      />
      {plan !== 'free' && (
        <TextField
          label={t('billingAdmin:giveDays')}
          inputMode="numeric"
          error={hasSubmitted && daysWrong ? t('billingAdmin:giveDaysWrong') : null}
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
      )}
      <TextField
        label={t('billingAdmin:reason')}
        hint={t('billingAdmin:reasonHint')}
        error={hasSubmitted && reasonMissing ? t('billingAdmin:reasonMissing') : null}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </FormDialog>
  );
}
