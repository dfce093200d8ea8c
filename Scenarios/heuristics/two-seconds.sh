#!/bin/sh
# A rule in the shell: two seconds of media ahead are enough. It is asked a line of JSON for each
# decision and answers with a line: true, false, or an object that also says when to ask again.
while read -r question; do
  ahead=${question#*\"buffered\":}
  ahead=${ahead%%[.,]*}
  if [ "$ahead" -ge 2 ]; then
    echo true
  else
    echo '{"keepsUp": false, "askAgain": 0.05}'
  fi
done
