-- Writing contacts costs less: the parts of a text are made in a loop, which takes half the time of the query that they were, and there are fewer of them.

-- The parts of a text with three letters: those of its words, and for two neighbours the last letter of the one with the first of the other. Whatever
-- contains a text with one blank between its words contains its parts, so that rows that were indexed with more parts are found as well.
create or replace function part_terms(workspace uuid, value text) returns bigint[]
  language plpgsql immutable strict parallel safe
as $$
declare
  seed bigint := hashtextextended(workspace::text, 0);
  terms bigint[] := '{}';
  word text;
  last_letter text := '';
begin
  foreach word in array string_to_array(value, ' ') loop
    if last_letter <> '' and word <> '' then
      terms := terms || hashtextextended(last_letter || ' ' || left(word, 1), seed);
    end if;
    for at in 1 .. char_length(word) - 2 loop
      terms := terms || hashtextextended(substr(word, at, 3), seed);
    end loop;
    last_letter := right(word, 1);
  end loop;
  return terms;
end
$$;
