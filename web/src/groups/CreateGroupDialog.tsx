import { routes } from '@nolo/api';
import { cleanName, limits } from '@nolo/rules';
import { useMemo, useRef, useState } from 'react';
import { useSelf } from '../session/self.ts';
import { call } from '../api/httpClient.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { findNewGroupProblem, type NewGroupProblem } from './groupForm.ts';
import { GroupNameField } from './GroupTextFields.tsx';
import { MemberPicker } from './MemberPicker.tsx';
import type { ListedPerson } from '../chat/groupCalls/person.ts';
import { useCreateGroup, type CreateDialogProps } from './useCreateGroup.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** Maximum people to choose. The user is a member too. */
const maxOtherMembers = limits.groupMembersMax - 1;

const nobody: readonly ListedPerson[] = [];

interface CreateGroupDialogProps extends CreateDialogProps {
  /** People who are chosen when it opens. */
  people?: readonly ListedPerson[] | undefined;
}

/** Creates a group of chosen people (spec section 5). */
export function CreateGroupDialog({ entry, people: first = nobody, onClose, onCreated }: CreateGroupDialogProps) {
  const { t } = useTexts(groupsTexts);
  const self = useSelf();
  const nameField = useRef<HTMLInputElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(first);
  const [problem, setProblem] = useState<NewGroupProblem | 'tooMany' | null>(null);
  const excluded = useMemo(() => new Set([self.id]), [self.id]);

  const text = (kind: NewGroupProblem | 'tooMany'): string =>
    kind === 'tooMany'
      ? t('groups:form.tooMany', { count: maxOtherMembers })
      : t(kind === 'name' ? 'groups:problem.name' : 'groups:problem.members');

  const creating = useCreateGroup(
    (memberIds: string[]) => call(routes.createGroup, { body: { name: cleanName(name), memberIds } }),
    { entry, onCreated },
  );
  const create = async () => {
    const found = findNewGroupProblem(name, chosen.length) ?? (chosen.length > maxOtherMembers ? 'tooMany' : null);
    if (found) {
      setProblem(found);
      (found === 'name' ? nameField : searchField).current?.focus();
    } else await creating.run(chosen.map(({ id }) => id));
  };

  return (
    <FormDialog
      initialFocus={() => nameField.current}
      title={t('groups:form.groupTitle')}
      description={t('groups:form.groupText')}
      submitLabel={t('groups:form.submit')}
      busyLabel={t('groups:form.creating')}
      dirty={chosen !== first}
      onClose={onClose}
      onSubmit={create}
    >
      <GroupNameField
        ref={nameField}
        label={t('groups:form.name')}
        placeholder={t('groups:form.namePlaceholder')}
        error={problem === 'name' ? text(problem) : null}
        value={name}
        onValueChange={(typed) => {
          setName(typed);
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
