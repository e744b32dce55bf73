import { routes, type Conversation, type RouteBodyInput } from '@nolo/api';
import { limits } from '@nolo/rules';
import { useState, type FormEvent } from 'react';
import { call } from '../api/httpClient.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { readMaxMembers } from './groupForm.ts';
import { GroupSwitches, GroupVisibility } from './GroupSwitches.tsx';
import { useChangeByRoute } from './useChangeByRoute.ts';
import { useGroupAction } from './useGroupAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';
import { roomCodeTexts } from '../i18n/roomCodeTexts.ts';

type Group = NonNullable<Conversation['group']>;

/** Settings for who may join, the maximum, and members' rights. Each switch saves immediately. */
export function GroupSettingsDialog({ id, group, onClose }: { id: string; group: Group; onClose: () => void }) {
  const { t } = useTexts(groupsTexts, roomCodeTexts);
  const change = useChangeByRoute(id);
  const saving = useGroupAction(
    id,
    (body: RouteBodyInput<typeof routes.updateGroupChat>) =>
      body.isPublic === undefined
        ? call(routes.updateGroupChat, { params: { id }, body })
        : change([{ kind: 'admission', isOpen: body.isPublic }], (epoch) =>
            call(routes.updateGroupChat, { params: { id }, body: { ...body, ...epoch } }),
          ),
    { failure: t('groups:form.saveFailed'), done: () => t('groups:form.saved') },
  );
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

  const save = async (body: RouteBodyInput<typeof routes.updateGroupChat>, shown: typeof wanted) => {
    if (saving.busy) return;
    setWanted(shown);
    if (!(await saving.run(body))) setWanted({});
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

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('groups:details.settings')}
      footer={<Button onClick={onClose}>{t('roomCode:done')}</Button>}
    >
      <div className="flex flex-col gap-5">
        <GroupVisibility isPublic={wanted.isPublic ?? group.isPublic} onChange={(change) => save(change, change)} />
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
            label={t('groups:form.maxMembers')}
            hint={t('groups:form.maxHint', range)}
            error={maxWrong ? t('groups:problem.maxMembers', range) : null}
            value={max}
            onChange={(event) => {
              setMax(event.target.value);
              setMaxWrong(false);
            }}
          />
          {max !== String(group.maxMembers) && (
            <Button type="submit" kind="secondary" busy={saving.busy} className="mt-6.5 pointer-coarse:h-11">
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
