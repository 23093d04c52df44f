autocmd BufRead,BufNewFile *.sut setfiletype sutler
