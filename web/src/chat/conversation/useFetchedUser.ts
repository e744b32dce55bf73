import { routes, type User } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/httpClient.ts';

/** Returns a user as the server shows them now. Until it responds, returns `known`. */
export function useFetchedUser(known: User): User {
  const { data = known } = useQuery({
    queryKey: ['users', known.id],
    queryFn: ({ signal }) => call(routes.getUser, { params: { id: known.id }, signal }),
    placeholderData: known,
  });
  return data;
}
