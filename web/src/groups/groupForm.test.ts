import {
  toCreateRoomRequest,
  createEmptyRoomForm,
  findNewGroupProblem,
  readMaxMembers,
  findRoomFormProblem,
} from './groupForm.ts';

test('the maximum is 2 to 500 members, and 100 if it is not a number', () => {
  expect(readMaxMembers('2')).toBe(2);
  expect(readMaxMembers('500')).toBe(500);
  expect(readMaxMembers('')).toBe(100);
  expect(readMaxMembers('many')).toBe(100);
  expect(readMaxMembers('1')).toBeNull();
  expect(readMaxMembers('501')).toBeNull();
});

test('a room needs a name and a valid maximum of members', () => {
  const form = createEmptyRoomForm();
  expect(form.maxMembers).toBe('100');
  expect(findRoomFormProblem({ ...form, name: '  ' })).toBe('name');
  expect(findRoomFormProblem({ ...form, name: 'Choir', maxMembers: '1' })).toBe('maxMembers');
  expect(findRoomFormProblem({ ...form, name: 'Choir', maxMembers: 'x' })).toBeNull();
});

test('private means that joining requires approval', () => {
  const form = { ...createEmptyRoomForm(), name: ' Choir ', maxMembers: '' };
  expect(toCreateRoomRequest(form)).toMatchObject({
    name: 'Choir',
    maxMembers: 100,
    settings: { requireApproval: false },
  });
  expect(toCreateRoomRequest({ ...form, isPublic: false }).settings.requireApproval).toBe(true);
});

test('a group of chosen people needs a name and at least one of them', () => {
  expect(findNewGroupProblem(' ', 2)).toBe('name');
  expect(findNewGroupProblem('Hikers', 0)).toBe('members');
  expect(findNewGroupProblem('Hikers', 1)).toBeNull();
});
