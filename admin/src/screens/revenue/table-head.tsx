import { Table } from '@mantine/core';

/** The head of a table, with the names of its columns. */
export function TableHead({ columns }: { columns: readonly string[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map((name, index) => (
          <Table.Th key={index} scope="col">
            {name}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}
