/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ResultPage } from '../api/httpClient.ts';
import { usePagedList } from './pagedList.ts';

type Query = UseInfiniteQueryResult<InfiniteData<ResultPage<readonly { id: string; name: string }[]>>>;

test('an entry that is on two pages appears once, in its latest form', () => {
  const [a, b, later] = [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B' },
    { id: 'a', name: 'Later' },
  ];
  const pages = [
    { items: [a, b], nextCursor: '2' },
    { items: [later], nextCursor: null },
  ];
  const query = { data: { pages, pageParams: [] } } as unknown as Query;
  expect(renderHook(() => usePagedList(query)).result.current.items).toEqual([later, b]);
});
