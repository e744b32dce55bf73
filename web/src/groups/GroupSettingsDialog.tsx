import type { Conversation } from '@nolo/api';
import { limits } from '@nolo/rules';
import { Globe, Lock } from 'lucide-react';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { TextField } from '../ui/TextField.tsx';
import { readMaxMembers } from './groupForm.ts';
import { GroupSwitches } from './GroupSwitches.tsx';
import { useGroupActions } from './useGroupActions.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';

type Group = NonNullable<Conversation['group']>;

export interface GroupSettingsDialogProps {
  id: string;
  group: Group;
  onClose: () => void;
}

/** Settings for who may join, the maximum, and members' rights. Each switch saves immediately. */
export function GroupSettingsDialog({ id, group, onClose }: GroupSettingsDialogProps) {
  const { t } = useGroupsWords();
  const { update } = useGroupActions();
  const [busy, setBusy] = useState(false);
  /** Unconfirmed changes of the user. */
  const [wanted, setWanted] = useState<Partial<Group['settings']> & { isPublic?: boolean }>({});
  const [seen, setSeen] = useState(group);
  if (seen !== group) {
    // The change has arrived, or another admin made a different one.
    setSeen(group);
    setWanted({});
  }
  const [max, setMax] = useState(String(group.maxMembers));
  const [maxWrong, setMaxWrong] = useState(false);
  const range = { min: limits.groupMembersMin, max: limits.groupMembersMax };

  const save = async (body: Parameters<typeof update>[1], shown: typeof wanted) => {
    if (busy) return;
    setBusy(true);
    setWanted(shown);
    if (!(await update(id, body))) setWanted({});
    setBusy(false);
  };
  const saveMax = () => {
    const maxMembers = readMaxMembers(max);
    if (maxMembers === null) {
      setMaxWrong(true);
      return;
    }
    setMax(String(maxMembers));
    if (maxMembers !== group.maxMembers) void save({ maxMembers }, {});
  };

  const isPublic = wanted.isPublic ?? group.isPublic;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('groups.details.settings')}
      footer={<Button onClick={onClose}>{t('roomCode.done')}</Button>}
    >
      <div className="flex flex-col gap-5">
        <div>
          <p aria-hidden="true" className="mb-1.5 text-13 font-medium">
            {t('groups.form.who')}
          </p>
          <Segmented
            label={t('groups.form.who')}
            value={isPublic ? 'public' : 'private'}
            onValueChange={(value) => void save({ isPublic: value === 'public' }, { isPublic: value === 'public' })}
            options={[
              { value: 'public', label: t('groups.form.public'), icon: <Globe aria-hidden="true" /> },
              { value: 'private', label: t('groups.form.private'), icon: <Lock aria-hidden="true" /> },
            ]}
          />
          <p className="mt-1.5 text-13 text-muted">
            {t(isPublic ? 'groups.form.publicHint' : 'groups.form.privateHint')}
          </p>
        </div>
        <form
          noValidate
          className="flex items-start gap-2"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            saveMax();
          }}
        >
          <TextField
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            className="w-40"
            label={t('groups.form.maxMembers')}
            hint={t('groups.form.maxHint', range)}
            error={maxWrong ? t('groups.problem.maxMembers', range) : null}
            value={max}
            onChange={(event) => {
              setMax(event.target.value);
              setMaxWrong(false);
            }}
          />
          {max !== String(group.maxMembers) && (
            <Button type="submit" kind="secondary" busy={busy} className="mt-6.5 pointer-coarse:h-11">
              {t('common.save')}
            </Button>
          )}
        </form>
        <GroupSwitches
          values={{ ...group.settings, ...wanted }}
          onChange={(settings) => void save({ settings }, settings)}
        />
      </div>
    </Dialog>
  );
}
