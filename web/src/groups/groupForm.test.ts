import { toCreateRoomRequest, newRoomForm, pickProblem, readMaxMembers, roomProblem } from './groupForm.ts';

test('the maximum is 2 to 500 members, and 100 if it is not a number', () => {
  expect(readMaxMembers('2')).toBe(2);
  expect(readMaxMembers('500')).toBe(500);
  expect(readMaxMembers('')).toBe(100);
  expect(readMaxMembers('many')).toBe(100);
  expect(readMaxMembers('1')).toBeNull();
  expect(readMaxMembers('501')).toBeNull();
});

test('a room needs a name and a valid maximum of members', () => {
  const form = newRoomForm();
  expect(form.maxMembers).toBe('100');
  expect(roomProblem({ ...form, name: '  ' })).toBe('name');
  expect(roomProblem({ ...form, name: 'Choir', maxMembers: '1' })).toBe('maxMembers');
  expect(roomProblem({ ...form, name: 'Choir', maxMembers: 'x' })).toBeNull();
});

test('private means that joining requires approval', () => {
  const form = { ...newRoomForm(), name: ' Choir ', maxMembers: '' };
  expect(toCreateRoomRequest(form)).toMatchObject({
    name: 'Choir',
    maxMembers: 100,
    settings: { requireApproval: false },
  });
  expect(toCreateRoomRequest({ ...form, isPublic: false }).settings.requireApproval).toBe(true);
});

test('a group of chosen people needs a name and at least one of them', () => {
  expect(pickProblem(' ', 2)).toBe('name');
  expect(pickProblem('Hikers', 0)).toBe('members');
  expect(pickProblem('Hikers', 1)).toBeNull();
});
