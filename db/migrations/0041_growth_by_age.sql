-- New people and workspaces are found through the indexes by age, which lists have too.
drop index profiles_created_at_idx;
drop index workspaces_created_at_idx;
