import type { User } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/httpClient.ts';

/** Somebody as the server shows them now; until it has answered, as they are known. */
export function usePerson(known: User): User {
  const { data = known } = useQuery({
    queryKey: ['users', known.id],
    queryFn: ({ signal }) => call(routes.getUser, { params: { id: known.id }, signal }),
    placeholderData: known,
  });
  return data;
}
