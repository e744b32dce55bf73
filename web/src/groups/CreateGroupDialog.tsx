import { cleanName, limits } from '@nolo/rules';
import { useMemo, useRef, useState } from 'react';
import { useSelf } from '../session/self.ts';
import { showFailure } from '../ui/failures.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import type { GroupDialogOrigin } from './groupDialogOrigin.ts';
import { findNewGroupProblem } from './groupForm.ts';
import type { NewGroupProblem } from './groupForm.ts';
import { MemberPicker } from './MemberPicker.tsx';
import type { ListedPerson } from '../chat/groupCalls/person.ts';
import type { SharedGroup } from './ShareGroupDialog.tsx';
import { useGroupActions } from './useGroupActions.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';

/** Maximum people to choose. The user is a member too. */
const maxOtherMembers = limits.groupMembersMax - 1;

export interface CreateGroupDialogProps {
  entry: GroupDialogOrigin;
  onClose: () => void;
  onCreated: (group: SharedGroup) => void;
}

/** Creates a group of chosen people (spec section 5). */
export function CreateGroupDialog({ entry, onClose, onCreated }: CreateGroupDialogProps) {
  const { t } = useGroupsWords();
  const self = useSelf();
  const words = useExplainFailure();
  const { createGroup } = useGroupActions();
  const nameField = useRef<HTMLInputElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly ListedPerson[]>([]);
  const [problem, setProblem] = useState<NewGroupProblem | 'tooMany' | null>(null);
  const excluded = useMemo(() => new Set([self.id]), [self.id]);

  const text = (kind: NewGroupProblem | 'tooMany'): string =>
    kind === 'tooMany'
      ? t('groups.form.tooMany', { count: maxOtherMembers })
      : t(kind === 'name' ? 'groups.problem.name' : 'groups.problem.members');

  const refuse = (kind: NewGroupProblem | 'tooMany') => {
    setProblem(kind);
    (kind === 'name' ? nameField : searchField).current?.focus();
  };

  const create = async () => {
    const found = findNewGroupProblem(name, chosen.length) ?? (chosen.length > maxOtherMembers ? 'tooMany' : null);
    if (found) {
      refuse(found);
      return;
    }
    try {
      const group = await createGroup({ name: cleanName(name), memberIds: chosen.map(({ id }) => id) });
      onCreated(group);
    } catch (error) {
      showFailure({
        title: entry === 'mobile' ? t('groups.problem.createMobile') : words(error, t('groups.problem.createDesktop')),
      });
    }
  };

  return (
    <FormDialog
      initialFocus={() => nameField.current}
      title={t('groups.form.groupTitle')}
      description={t('groups.form.groupText')}
      submitLabel={t('groups.form.submit')}
      busyLabel={t('groups.form.creating')}
      dirty={chosen.length > 0}
      onClose={onClose}
      onSubmit={create}
    >
      <TextField
        ref={nameField}
        dir="auto"
        autoComplete="off"
        maxLength={limits.groupNameLength}
        label={t('groups.form.name')}
        placeholder={t('groups.form.namePlaceholder')}
        error={problem === 'name' ? text(problem) : null}
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          if (problem === 'name') setProblem(null);
        }}
      />
      <MemberPicker
        ref={searchField}
        chosen={chosen}
        excluded={excluded}
        withStrangers
        error={problem === 'members' || problem === 'tooMany' ? text(problem) : null}
        onChange={(people) => {
          setChosen(people);
          if (problem !== 'name') setProblem(null);
        }}
      />
    </FormDialog>
  );
}
